import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Clock, Random } from '../../meta/clock.ts'
import type { FirstCertificates, IssuingSetup } from './issuingMessages.ts'

export interface FirstCertificatesRequest {
  /** Folder as in `CertificateRequest`. */
  directory: string | undefined
  hosts: readonly string[]
  clock: Pick<Clock, 'now'>
  random: Pick<Random, 'bytes'>
}

/**
 * Issues certificates in a thread, so that a first start loads its modules and opens its storage in
 * the meantime. Nothing is written. Undefined: the folder has certificates, the program runs from
 * its sources, or the thread failed; then they are issued when they are needed.
 */
export async function firstCertificates(
  request: FirstCertificatesRequest,
): Promise<FirstCertificates | undefined> {
  const { directory, hosts, clock, random } = request
  if (directory !== undefined && existsSync(join(directory, 'ca.crt'))) return undefined
  const { issuingThreadUrl } = await import('./issuingThread.ts')
  if (issuingThreadUrl.endsWith('.ts')) return undefined
  const randomBytes = random.bytes(64)
  const setup: IssuingSetup = { role: 'issuing', hosts, now: clock.now(), randomBytes }
  return new Promise((resolve) => {
    const options = { workerData: setup, execArgv: [], env: {} }
    new Worker(new URL(issuingThreadUrl), options)
      .on('message', resolve)
      .on('error', () => resolve(undefined))
      .on('exit', () => resolve(undefined))
      .unref()
  })
}
