/** The other end of a connection. */
export interface Endpoint {
  host: string
  port: number
  /** Name in the certificate. */
  serverName: string
}

interface Problem {
  code?: string
  message?: string
  address?: string
  errors?: unknown[]
}

/** Last of the attempts with the addresses of a name. */
function lastOf(error: unknown): Problem {
  const problem = error as Problem // every member is optional
  return (problem.errors?.at(-1) as Problem | undefined) ?? problem
}

/** Reason why there is no response, in the wording of the real server's client. */
export function connectionProblem(thrown: unknown, address: Endpoint): string {
  const error = lastOf(thrown)
  const { code = '', message = String(thrown) } = error
  const { port } = address
  // Address to which the name was resolved.
  const host = error.address ?? address.host
  const dial = `dial tcp ${host.includes(':') ? `[${host}]` : host}:${port}`
  if (code === 'ECONNREFUSED') return `${dial}: connect: connection refused`
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return `dial tcp: lookup ${address.host}: no such host`
  }
  if (code === 'ECONNRESET') return 'EOF'
  if (unknownAuthority.has(code)) {
    return 'tls: failed to verify certificate: x509: certificate signed by unknown authority'
  }
  if (code === 'CERT_HAS_EXPIRED') {
    return 'tls: failed to verify certificate: x509: certificate has expired or is not yet valid'
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return `tls: failed to verify certificate: x509: certificate is not valid for ${address.serverName}`
  }
  return message
}

const unknownAuthority = new Set([
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_GET_ISSUER_CERT',
])
