import { setTimeout as pause } from 'node:timers/promises'
import { post } from '../../call.ts'
import type { AfterCall } from '../../runCase.ts'
import { send, type Side } from '../../side.ts'

const rbac = '/apis/rbac.authorization.k8s.io/v1'
const inDefault = `${rbac}/namespaces/default`
const reviews = '/apis/authorization.k8s.io/v1/subjectaccessreviews'
const apiGroup = 'rbac.authorization.k8s.io'
const longestWaitMs = 10_000
const pauseMs = 2

/**
 * Creates a function that waits for the real server's authorizer, which applies a role or a binding
 * some time after the response to its write. Later roles and bindings are applied later; so once
 * they are in effect, earlier ones are.
 */
export function authorizedLater(): AfterCall {
  let markers = 0
  return async (side, { method = 'GET', path }, { status }) => {
    const isWritten = method !== 'GET' && status < 300 && path.startsWith(rbac)
    if (side.name === 'peer' && isWritten) await waitForMarker(side, `marker-${++markers}`)
  }
}

async function waitForMarker(side: Side, name: string): Promise<void> {
  const attributes = { namespace: 'default', verb: 'get', resource: 'configmaps', name }
  const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }]
  const roleRef = { apiGroup, kind: 'Role', name }
  const subjects = [{ apiGroup, kind: 'User', name }]
  await send(side, post(`${inDefault}/roles`, { metadata: { name }, rules }))
  await send(side, post(`${inDefault}/rolebindings`, { metadata: { name }, roleRef, subjects }))
  const question = post(reviews, { spec: { user: name, resourceAttributes: attributes } })
  const until = performance.now() + longestWaitMs
  for (;;) {
    const { body } = await send(side, question)
    if (/"allowed":true/.test(body)) return
    if (performance.now() > until) throw new Error(`${name} is not authorized: ${body}`)
    await pause(pauseMs)
  }
}
