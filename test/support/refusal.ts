import { expect } from 'chai'
import { StatusError, type Status } from '../../apiserver/meta/status.ts'

/** Status of the error that `call` throws. */
export async function refusal(call: Promise<unknown> | (() => unknown)): Promise<Status> {
  try {
    const value = await (typeof call === 'function' ? call() : call)
    return expect.fail(`expected a refusal, got ${JSON.stringify(value)}`)
  } catch (error) {
    if (error instanceof StatusError) return error.toStatus()
    throw error
  }
}

/** Failure as clients see it. */
export function failure(
  code: number,
  reason: string,
  message: string,
  details?: Status['details'],
): Status {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    ...(reason === '' ? {} : { reason }),
    ...(details === undefined ? {} : { details }),
    code,
  }
}
