import { goQuote } from '../../meta/goQuote.ts'
import { rbacGroup, type RoleRef } from './policyRule.ts'

/** Error of a binding whose role does not exist, as the authorizer reports it. Source: seen on kube-apiserver 1.37.2. */
export function lookupError({ kind, name }: RoleRef): string {
  return notFound(kind.toLowerCase(), name)
}

/** Error of a binding whose role does not exist, as the prevention of escalation reports it. Source: as before. */
export function readError({ name }: RoleRef): string {
  return notFound('roles', name)
}

function notFound(resource: string, name: string): string {
  return `${resource}.${rbacGroup} ${goQuote(name)} not found`
}
