import { parentPort, workerData, type MessagePort } from 'node:worker_threads'
import { messageOf } from '../../apiserver/meta/messageOf.ts'
import { Sandbox } from './sandbox.ts'
import { ownThread } from './threadTime.ts'
import type { SandboxAnswer, SandboxRequest, SandboxSetup } from './sandboxMessages.ts'

export const sandboxThreadUrl = import.meta.url

/** Serves requests in order, and publishes the current one, so that the other side can detect a hang. */
async function serve(port: MessagePort, { limits, progress }: SandboxSetup): Promise<void> {
  let sandbox = await Sandbox.create(limits)
  const at = new Int32Array(progress)
  Atomics.store(at, 2, ownThread())
  const answerAll = async (requests: readonly SandboxRequest[]) => {
    const answers: SandboxAnswer[] = []
    for (const request of requests) {
      if (sandbox.isBroken) sandbox = await Sandbox.create(limits)
      Atomics.store(at, 0, request.id)
      const begin = () => void Atomics.add(at, 1, 1)
      answers.push(answer(sandbox, request, { maxBytes: mostResults * limits.resultBytes, begin }))
      Atomics.store(at, 0, 0)
    }
    port.postMessage(answers)
  }
  let turn = Promise.resolve()
  port.on('message', (requests: SandboxRequest[]) => {
    turn = turn.then(() => answerAll(requests))
  })
}

/**
 * Number of results of maximum size allowed for one request: the results of all matches of a patch are kept together.
 */
const mostResults = 16

function answer(
  sandbox: Sandbox,
  { id, check, calls }: SandboxRequest,
  { maxBytes, begin }: { maxBytes: number; begin: () => void },
): SandboxAnswer {
  let bytes = 0
  try {
    begin()
    if (check !== undefined) sandbox.check(check)
    const results = calls.map((call) => {
      begin()
      const json = sandbox.evaluate(call)
      bytes += json.length
      if (bytes > maxBytes) throw new Error(`the results are larger than ${maxBytes} bytes in all`)
      return json
    })
    return { id, results }
  } catch (error) {
    return { id, error: messageOf(error) }
  }
}

// The module is the thread's entry point; imported elsewhere it does nothing.
const setup: unknown = workerData
if (parentPort !== null && isSetup(setup)) void serve(parentPort, setup) // a failure ends the thread, which the runtime notices

function isSetup(data: unknown): data is SandboxSetup {
  return (
    typeof data === 'object' &&
    data !== null &&
    'role' in data &&
    data.role === 'expression sandbox'
  )
}
