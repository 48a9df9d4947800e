import type { Exchange } from '../endpoints/exchange.ts'
import { applyPatchType, passesOn, type ResourceDefinition } from '../registry/resource.ts'
import type { RequestLabels } from './requestTallies.ts'

const verbs: Readonly<Record<string, string>> = {
  get: 'GET',
  list: 'LIST',
  watch: 'WATCH',
  create: 'POST',
  update: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
  deletecollection: 'DELETECOLLECTION',
}

/** The resource of a request. Unknown names are omitted, so that clients cannot create unlimited labels. */
export function knownResource({ info, plane }: Exchange): ResourceDefinition | undefined {
  return info.isResource ? plane.resources.get(info, info.resource) : undefined
}

/** Distinguishes requests for one resource by their labels. */
export function labelKey(exchange: Exchange, known: ResourceDefinition | undefined): string {
  const { info } = exchange
  const subresource = info.subresource === '' ? '' : knownSubresource(info.subresource, known)
  const plane = exchange.plane.auditTarget?.target ?? ''
  return `${plane} ${verbOf(exchange, known)} ${scopeOf(info)} ${dryRunOf(exchange)} ${subresource}`
}

/** Labels of a request. Source: reference 6.8. */
export function requestLabels(
  exchange: Exchange,
  known: ResourceDefinition | undefined,
): RequestLabels {
  const { info } = exchange
  return {
    verb: verbOf(exchange, known),
    group: known?.group ?? '',
    version: known?.version ?? '',
    resource: known?.plural ?? '',
    subresource: knownSubresource(info.subresource, known),
    scope: scopeOf(info),
    component: 'apiserver',
    dry_run: dryRunOf(exchange),
    ...planeOf(exchange),
  }
}

function verbOf({ info, request }: Exchange, known: ResourceDefinition | undefined): string {
  if (info.verb === 'patch') {
    const type = request.headers['content-type'] ?? ''
    return type.startsWith(applyPatchType) ? 'APPLY' : 'PATCH'
  }
  if (info.subresource !== '' && opensConnection(info.subresource, known)) return 'CONNECT'
  return Object.hasOwn(verbs, info.verb) ? (verbs[info.verb] ?? 'OTHER') : 'OTHER'
}

function opensConnection(name: string, known: ResourceDefinition | undefined): boolean {
  const found = known?.subresources?.find((subresource) => subresource.name === name)
  if (found === undefined || !('resource' in found)) return false
  return found.resource.answers?.connect !== undefined || passesOn(found)
}

function knownSubresource(name: string, known: ResourceDefinition | undefined): string {
  return known?.subresources?.some((subresource) => subresource.name === name) === true ? name : ''
}

/** The kind of plane, since the number of planes is unlimited. Absent for the management API. */
function planeOf({ plane: { auditTarget } }: Exchange): { plane?: string } {
  return auditTarget === undefined ? {} : { plane: auditTarget.target }
}

function dryRunOf({ query }: Exchange): string {
  return query.size > 0 && query.get('dryRun') === 'All' ? 'All' : ''
}

function scopeOf({ isResource, name, namespace }: Exchange['info']): string {
  if (!isResource) return ''
  if (name !== '') return 'resource'
  return namespace === '' ? 'cluster' : 'namespace'
}
