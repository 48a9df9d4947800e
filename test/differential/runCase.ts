import type { Answer, Call, Case } from './call.ts'
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
    const answer = await send(side, inNamespace(call, namespace))
    await afterCall?.(side, call, answer)
    answers.push({ ...answer, body: answer.body.replaceAll(namespace, 'case') })
  }
  return answers
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
