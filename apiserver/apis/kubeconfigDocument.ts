/** Credentials of a client. */
export type ClientProof = { token: string } | { cert: string; key: string }

export interface KubeconfigDocument {
  /** Name of the cluster and of the context. */
  name: string
  server: string
  /** PEM; undefined: the client's system trust store. */
  caCertificate: string | undefined
  /** Name of the user's entry. */
  user: string
  proof: ClientProof
}

/**
 * A kubeconfig in YAML with one cluster, one user and one context, which is the current one.
 * Strings are quoted as in JSON, which YAML accepts.
 */
export function kubeconfigDocument(document: KubeconfigDocument): string {
  const { server, caCertificate, proof } = document
  const name = JSON.stringify(document.name)
  const user = JSON.stringify(document.user)
  const ca =
    caCertificate === undefined ? [] : [`certificate-authority-data: ${base64(caCertificate)}`]
  return `apiVersion: v1
kind: Config
clusters:
  - name: ${name}
    cluster:
      ${[`server: ${JSON.stringify(server)}`, ...ca].join('\n      ')}
users:
  - name: ${user}
    user:
      ${proofLines(proof).join('\n      ')}
contexts:
  - name: ${name}
    context:
      cluster: ${name}
      user: ${user}
current-context: ${name}
`
}

function proofLines(proof: ClientProof): string[] {
  if ('token' in proof) return [`token: ${JSON.stringify(proof.token)}`]
  return [`client-certificate-data: ${base64(proof.cert)}`, `client-key-data: ${base64(proof.key)}`]
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}
