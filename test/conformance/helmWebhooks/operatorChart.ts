import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const group = 'charts.test.example'

const version = (name: string, field: string) => `
    - name: ${name}
      served: true
      storage: ${name === 'v1'}
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec: {type: object, properties: {${field}: {type: integer}}}`

const webhook = (name: string, path: string) => `
  - name: ${name}.${group}
    clientConfig:
      caBundle: {{ .Values.caBundle }}
      service: {name: hooks, namespace: {{ .Release.Namespace }}, port: {{ .Values.port }}, path: ${path}}
    rules:
      - {operations: [CREATE, UPDATE], apiGroups: [${group}], apiVersions: [v1], resources: [orders]}
    failurePolicy: Fail
    sideEffects: None
    timeoutSeconds: 10
    admissionReviewVersions: [v1]
`

/**
 * Files of an operator with its own program: a definition with two versions that it converts,
 * webhooks, a group that it serves itself, and its classes and rules.
 */
const files: Readonly<Record<string, string>> = {
  'Chart.yaml': 'apiVersion: v2\nname: operator\nversion: 0.1.0\nappVersion: "1"\n',
  'values.yaml': 'port: 443\ncaBundle: ""\npriority: 1000\n',
  'templates/definition.yaml': `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: orders.${group}}
spec:
  group: ${group}
  scope: Namespaced
  names: {plural: orders, singular: order, kind: Order}
  conversion:
    strategy: Webhook
    webhook:
      conversionReviewVersions: [v1]
      clientConfig:
        caBundle: {{ .Values.caBundle }}
        service: {name: hooks, namespace: {{ .Release.Namespace }}, port: {{ .Values.port }}, path: /convert}
  versions:${version('v1', 'size')}${version('v2', 'count')}
`,
  'templates/webhooks.yaml': `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: {{ .Release.Name }}}
webhooks:${webhook('mutate', '/mutate')}---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: {{ .Release.Name }}}
webhooks:${webhook('validate', '/validate')}`,
  'templates/service.yaml': `apiVersion: v1
kind: Service
metadata: {name: hooks}
spec: {type: ExternalName, externalName: localhost}
---
apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata: {name: v1.stock.${group}}
spec:
  group: stock.${group}
  version: v1
  caBundle: {{ .Values.caBundle }}
  groupPriorityMinimum: 1000
  versionPriority: 10
  service: {name: hooks, namespace: {{ .Release.Namespace }}, port: {{ .Values.port }}}
`,
  'templates/classes.yaml': `apiVersion: node.k8s.io/v1
kind: RuntimeClass
metadata: {name: {{ .Release.Name }}}
handler: sandboxed
---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: {{ .Release.Name }}}
value: {{ .Values.priority }}
description: For the pods of the operator.
---
apiVersion: flowcontrol.apiserver.k8s.io/v1
kind: PriorityLevelConfiguration
metadata: {name: {{ .Release.Name }}}
spec:
  type: Limited
  limited: {nominalConcurrencyShares: 5, limitResponse: {type: Reject}}
---
apiVersion: flowcontrol.apiserver.k8s.io/v1
kind: FlowSchema
metadata: {name: {{ .Release.Name }}}
spec:
  priorityLevelConfiguration: {name: {{ .Release.Name }}}
  matchingPrecedence: 900
  rules:
    - subjects: [{kind: ServiceAccount, serviceAccount: {name: operator, namespace: {{ .Release.Namespace }}}}]
      resourceRules: [{verbs: ["*"], apiGroups: [${group}], resources: ["*"], namespaces: ["*"]}]
`,
}

/** Writes the chart into a folder. */
export function writeOperatorChart(folder: string): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}
