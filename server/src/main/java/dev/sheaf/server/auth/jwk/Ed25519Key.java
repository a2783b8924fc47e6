package dev.sheaf.server.auth.jwk;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.jca.JCAContext;
import com.nimbusds.jose.util.Base64URL;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.spec.NamedParameterSpec;
import java.util.Arrays;
import java.util.Set;

/// An Ed25519 key pair made from a seed (RFC 8032, section 5.1.5), for the JWT library. The library's own Ed25519
/// needs one more dependency, although the JDK has the algorithm.
public final class Ed25519Key implements JWSSigner, JWSVerifier {
    private static final int PUBLIC_BYTES = 32;

    private final String id;
    private final KeyPair pair;
    private final JCAContext context = new JCAContext();

    private Ed25519Key(String id, KeyPair pair) {
        this.id = id;
        this.pair = pair;
    }

    /// Returns the key pair of a 32-byte seed; always the same for the same seed.
    public static Ed25519Key fromSeed(String id, byte[] seed) {
        try {
            var generator = KeyPairGenerator.getInstance("Ed25519");
            generator.initialize(NamedParameterSpec.ED25519, new Seed(seed));
            return new Ed25519Key(id, generator.generateKeyPair());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java since 15 has Ed25519", e);
        }
    }

    public String id() {
        return id;
    }

    /// Returns the public key in the form of a JWK: its 32 bytes (RFC 8032, section 5.1.2), which are the end of
    /// the JDK's encoding (RFC 8410, section 4).
    String x() {
        byte[] encoded = pair.getPublic().getEncoded();
        return Base64URL.encode(Arrays.copyOfRange(encoded, encoded.length - PUBLIC_BYTES, encoded.length))
                .toString();
    }

    @Override
    public Base64URL sign(JWSHeader header, byte[] input) {
        return Base64URL.encode(sign(input));
    }

    /// Returns the signature of a message: 64 bytes.
    public byte[] sign(byte[] message) {
        try {
            var signature = Signature.getInstance("Ed25519");
            signature.initSign(pair.getPrivate());
            signature.update(message);
            return signature.sign();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java since 15 has Ed25519", e);
        }
    }

    @Override
    public boolean verify(JWSHeader header, byte[] input, Base64URL claimed) {
        try {
            var signature = Signature.getInstance("Ed25519");
            signature.initVerify(pair.getPublic());
            signature.update(input);
            return signature.verify(claimed.decode());
        } catch (GeneralSecurityException e) {
            return false; // a malformed signature is a wrong signature
        }
    }

    @Override
    public Set<JWSAlgorithm> supportedJWSAlgorithms() {
        return Set.of(JWSAlgorithm.EdDSA);
    }

    @Override
    public JCAContext getJCAContext() {
        return context;
    }

    /// Returns the seed instead of random bytes: the private key of Ed25519 is its seed.
    private static final class Seed extends SecureRandom {
        private static final long serialVersionUID = 1;
        private final transient byte[] seed;

        Seed(byte[] seed) {
            this.seed = seed.clone();
        }

        @Override
        public void nextBytes(byte[] bytes) {
            if (bytes.length != seed.length) {
                throw new IllegalStateException("an Ed25519 key takes " + seed.length + " bytes");
            }
            System.arraycopy(seed, 0, bytes, 0, seed.length);
        }
    }
}
