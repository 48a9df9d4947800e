import { parentPort, workerData, type MessagePort } from 'node:worker_threads'
import type { FirstCertificates, IssuingSetup } from './issuingMessages.ts'

export const issuingThreadUrl = import.meta.url

async function issue(port: MessagePort, { hosts, now, randomBytes }: IssuingSetup): Promise<void> {
  const { issueAuthority, issueLeaf } = await import('./issueCertificates.ts') // loaded only in the thread
  const left = [...randomBytes]
  const random = { bytes: (count: number) => Buffer.from(left.splice(0, count)) }
  const sources = { clock: { now: () => now }, random }
  const authority = await issueAuthority(undefined, sources)
  const issued: FirstCertificates = { authority, leaf: await issueLeaf(authority, hosts, sources) }
  port.postMessage(issued)
}

// The module is the thread's entry point; imported elsewhere it does nothing.
const setup: unknown = workerData
if (parentPort !== null && isSetup(setup)) void issue(parentPort, setup) // a failure ends the thread

function isSetup(data: unknown): data is IssuingSetup {
  return typeof data === 'object' && data !== null && 'role' in data && data.role === 'issuing'
}
