import { isDeepStrictEqual } from 'node:util'
import { goQuote } from '../../meta/goQuote.ts'
import type { AdmissionRequest } from '../../registry/admission.ts'
import { whenConverted } from '../../registry/versions/remoteConversion.ts'
import type { AdmissionPlugin, MutationRound } from '../admissionPlugin.ts'
import { isReviewed } from '../exemptKinds.ts'
import { Reinvocation } from '../reinvocation.ts'
import type { MatchedWebhook, RegisteredWebhooks } from './registeredWebhooks.ts'
import { targetOf } from './validatingWebhooks.ts'
import { asCallError, type WebhookCaller } from './webhookCaller.ts'
import { patchedByWebhook, patchOperations, type PatchReading } from './webhookPatch.ts'
import { callRefusal, denial, WebhookCallError } from './webhookRefusals.ts'
import type { Verdict } from './webhookResponse.ts'

/**
 * Calls the mutating webhooks of a request in sequence. Webhooks that were called before a change and ask for
 * reinvocation are called once more. Source: Kubernetes, "Dynamic Admission Control", "Reinvocation policy".
 */
export function mutatingWebhooks(
  webhooks: RegisteredWebhooks,
  caller: WebhookCaller,
  reading: PatchReading,
): AdmissionPlugin {
  const plugin: AdmissionPlugin = {
    name: 'MutatingAdmissionWebhook',
    get generation() {
      return webhooks.generation
    },
    handles: (target) => isReviewed(target) && webhooks.matching(target).length > 0,
    mutate: async (request, round) => {
      const seen = Reinvocation.of<MatchedWebhook>(plugin, round, request.object)
      for (const hook of webhooks.matching(targetOf(request))) {
        if (!seen.isDue(hook, round)) continue
        if (!(await caller.concerns(hook, request))) continue
        const changed = await applyWebhook(hook, request, { caller, round, reading })
        if (changed) {
          seen.changed()
          round.reinvoke = true
        }
        if (hook.webhook.reinvocationPolicy === 'IfNeeded') seen.ran(hook)
      }
      // Earlier steps then run again and may also change the object.
      if (round.reinvoke) seen.leave(request.object)
    },
  }
  return plugin
}

/** Reports whether the webhook changed the object. */
async function applyWebhook(
  hook: MatchedWebhook,
  request: AdmissionRequest,
  {
    caller,
    round,
    reading,
  }: { caller: WebhookCaller; round: MutationRound; reading: PatchReading },
): Promise<boolean> {
  const { webhook, configuration, index } = hook
  const { name = '' } = webhook
  const { review, context } = request
  const place = `round_${round.number}_index_${index}`
  const note = (kind: string, value: unknown) =>
    review.annotate(`${kind}.webhook.admission.k8s.io/${place}`, JSON.stringify(value))
  const verdict = await askMutating(hook, request, caller).catch((thrown: unknown) => {
    const error = asCallError(thrown)
    if (webhook.failurePolicy !== 'Ignore') throw callRefusal(name, error)
    review.annotate(`failed-open.mutation.webhook.admission.k8s.io/${place}`, name)
    return undefined
  })
  if (verdict === undefined) return false
  for (const [key, value] of Object.entries(verdict.auditAnnotations)) {
    review.annotate(`${name}/${key}`, value)
  }
  for (const text of verdict.warnings) if (text !== '') context.warn(text)
  if (!verdict.allowed) {
    note('mutation', { configuration, webhook: name, mutated: false })
    throw denial(name, verdict.status)
  }
  const { operations } = verdict
  const patched =
    operations &&
    (await whenConverted(() => patchedByWebhook(hook, request, { operations, ...reading })))
  const changed = patched !== undefined && !isDeepStrictEqual(patched, request.object)
  if (patched !== undefined) request.object = patched
  note('mutation', { configuration, webhook: name, mutated: changed })
  return changed
}

/** Verdict with the steps of its patch; undefined: no patch. */
async function askMutating(
  hook: MatchedWebhook,
  request: AdmissionRequest,
  caller: WebhookCaller,
): Promise<Verdict & { operations: unknown[] | undefined }> {
  const verdict = await caller.ask(hook, request, true)
  const operations = verdict.patch === '' ? undefined : patchOperations(verdict.patch)
  if (operations !== undefined && verdict.patchType !== 'JSONPatch') {
    throw new WebhookCallError(`unsupported patch type ${goQuote(verdict.patchType)}`)
  }
  return { ...verdict, operations }
}
