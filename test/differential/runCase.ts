import { get, type Answer, type Call, type Case } from './call.ts'
import { seenOf } from './seen.ts'
import { send, type Side } from './side.ts'

/** Waits for the effects of a completed call. */
export type AfterCall = (side: Side, call: Call, answer: Answer) => Promise<void>

/**
 * Responses of one server to the steps of a case, in order, in an existing namespace. The namespace
 * is called `case` in the responses, so that they do not depend on the length of its name.
 */
export async function runCase(
  side: Side,
  { steps }: Case,
  namespace: string,
  afterCall?: AfterCall,
): Promise<Answer[]> {
  const answers: Answer[] = []
  for (const step of steps) {
    const call = typeof step === 'function' ? step(seenOf(answers)) : step
    const sent = inNamespace(call, namespace)
    await catchUp(side, sent)
    const answer = await send(side, sent)
    await afterCall?.(side, call, answer)
    answers.push({ ...answer, body: answer.body.replaceAll(namespace, 'case') })
  }
  return answers
}

/**
 * Waits until the cache of the server has all writes before a read of any revision: on a busy
 * machine that of the real server is late. A list of the newest revision waits for it.
 */
async function catchUp(side: Side, { path, method = 'GET' }: Call): Promise<void> {
  const [collection] = /^.*\/namespaces\/[^/]+\/[^/?]+/.exec(path) ?? []
  const isOfAnyRevision = method === 'GET' && /[?&]resourceVersion=0(&|$)/.test(path)
  if (isOfAnyRevision && collection !== undefined) await send(side, get(collection))
}

/** The call with `{ns}` replaced in its path, its body and the calls during it. */
export function inNamespace(call: Call, namespace: string): Call {
  return {
    ...call,
    path: call.path.replaceAll('{ns}', namespace),
    ...(call.body === undefined ? {} : { body: bodyIn(call.body, namespace) }),
    during: (call.during ?? []).map((inner) => inNamespace(inner, namespace)),
  }
}

function bodyIn(body: unknown, namespace: string): unknown {
  if (typeof body === 'string') return body.replaceAll('{ns}', namespace)
  return JSON.parse(JSON.stringify(body).replaceAll('{ns}', namespace)) as unknown
}
