#!/bin/sh
# Creates the passwords and keys of compose.three.yaml, once, in the folder "secrets" beside it. Keep a copy of
# secrets/sheaf.env: without the master key no backup can be restored.
set -eu
cd "$(dirname "$0")"
umask 077
mkdir secrets # fails if it exists, so that nothing is overwritten
password=$(openssl rand -hex 24) id=$(openssl rand -hex 8) secret=$(openssl rand -hex 24)
printf 'POSTGRES_PASSWORD=%s\n' "$password" >secrets/postgres.env
printf 'ROOT_ACCESS_KEY_ID=%s\nROOT_SECRET_ACCESS_KEY=%s\n' "$id" "$secret" >secrets/s3.env
printf 'SHEAF_MASTER_KEY=%s\nSHEAF_DATABASE_PASSWORD=%s\nSHEAF_S3_ACCESS_KEY_ID=%s\nSHEAF_S3_SECRET_ACCESS_KEY=%s\n' \
  "$(openssl rand -base64 32)" "$password" "$id" "$secret" >secrets/sheaf.env
