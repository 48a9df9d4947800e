import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Chart with a definition of its own kind, an object of it, a Deployment and a ConfigMap. */
const files = (group: string): Readonly<Record<string, string>> => ({
  'Chart.yaml': 'apiVersion: v2\nname: small\nversion: 0.1.0\nappVersion: "1"\n',
  'values.yaml': 'text: first\nreplicas: 1\n',
  'crds/gadgets.yaml': `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gadgets.${group}}
spec:
  group: ${group}
  scope: Namespaced
  names: {plural: gadgets, singular: gadget, kind: Gadget}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec: {type: object, properties: {text: {type: string}}}
`,
  'templates/gadget.yaml': `apiVersion: ${group}/v1
kind: Gadget
metadata: {name: {{ .Release.Name }}}
spec: {text: {{ .Values.text | quote }}}
`,
  'templates/configmap.yaml': `apiVersion: v1
kind: ConfigMap
metadata: {name: {{ .Release.Name }}}
data: {text: {{ .Values.text | quote }}}
`,
  'templates/deployment.yaml': `apiVersion: apps/v1
kind: Deployment
metadata: {name: {{ .Release.Name }}}
spec:
  replicas: {{ .Values.replicas }}
  selector: {matchLabels: {app: {{ .Release.Name }}}}
  template:
    metadata: {labels: {app: {{ .Release.Name }}}}
    spec:
      containers:
        - name: main
          image: image.test/main:1
          ports: [{containerPort: 80}]
`,
})

/** Writes the chart into a folder; its kind is in the group. */
export function writeChart(folder: string, group: string): void {
  for (const [path, text] of Object.entries(files(group))) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}
