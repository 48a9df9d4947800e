import { jsonText } from '../../../meta/json/exactJson.ts'
import type { NamesProfile } from '../../../meta/names/namesProfile.ts'
import type { ApiObject } from '../../../meta/types.ts'
import type { Strategy } from '../../../registry/strategy.ts'
import type { PlaneAccess } from '../../planeAccess.ts'
import { objectIfAny } from '../../storeReads.ts'
import { accessErrors } from '../accessRules.ts'
import { clusterProblem, shownProblem, type ClusterProblem } from '../clusterStanding.ts'
import { managementResource } from '../managementKind.ts'
import { fillOwner } from '../fillOwner.ts'
import { reportedStatus } from '../reportedStatus.ts'

type Fields = Record<string, unknown>

export interface InstanceKind {
  names: NamesProfile
  access: PlaneAccess
  /** Checks the limits of its project. */
  authorizeWrite: NonNullable<Strategy['authorizeWrite']>
  /** Plural of the templates that `spec.templateRef` refers to. */
  templates: string
  /** The field of the status with the rendered template. */
  rendered: string
  /** True if the instance requires a cluster. */
  needsCluster: boolean
}

/**
 * The strategy of an instance, whose status follows its spec. This server serves its API and opens
 * it on demand; nothing is scheduled, so an instance is ready as soon as it is stored, provided
 * that its cluster exists. An annotation puts it to sleep. The template is read when the instance
 * is written.
 * Source: platform facts 3.2.
 */
export function instanceStrategy(kind: InstanceKind): Strategy {
  return {
    authorizeWrite: kind.authorizeWrite,
    prepareForCreate: (object, context) => {
      fillOwner(object, context)
      follow(object, kind)
    },
    prepareForUpdate: (next, old) => {
      // A status reported through the subresource stays until one of its inputs changes.
      const isOtherwise = dependsOn(next, kind) !== dependsOn(old, kind)
      if (isOtherwise || isClusterNews(old, next, kind)) follow(next, kind)
    },
    validate: (object) => accessErrors(object),
    validateUpdate: (object) => accessErrors(object),
  }
}

/**
 * The strategy of the status: the runner of the instance reports it, except for the template in
 * use, which determines roles within the instance.
 */
export const instanceReport: Strategy = {
  ...reportedStatus,
  prepareForUpdate: (next, old, context) => {
    reportedStatus.prepareForUpdate?.(next, old, context)
    const [{ status }, before] = [fieldsOf(next), fieldsOf(structuredClone(old)).status]
    for (const rendered of ['virtualCluster', 'space']) {
      Reflect.deleteProperty(status, rendered)
      if (before[rendered] !== undefined) status[rendered] = before[rendered]
    }
  },
}

function follow(object: ApiObject, kind: InstanceKind): void {
  const { spec, status } = fieldsOf(object)
  for (const field of ['phase', 'reason', 'message', kind.rendered]) {
    Reflect.deleteProperty(status, field)
  }
  const template = spec['template'] ?? referredTemplate(spec, kind)
  if (template !== undefined && template !== missing) {
    status[kind.rendered] = structuredClone(template)
  }
  const problem = template === missing ? templateProblem : problemOf(object, kind)
  if (problem === undefined) status['phase'] = isAsleep(object, kind.names) ? 'Sleeping' : 'Ready'
  else Object.assign(status, { phase: 'Failed', ...problem })
}

const templateProblem = {
  reason: 'TemplateNotFound',
  message: 'the template that spec.templateRef names does not exist',
}

/**
 * Reports whether the cluster was created or deleted since the status was computed. A missing template takes
 * precedence.
 */
function isClusterNews(old: ApiObject, next: ApiObject, kind: InstanceKind): boolean {
  if (fieldsOf(old).status['reason'] === templateProblem.reason) return false
  return problemOf(next, kind)?.reason !== shownProblem(old)
}

function problemOf(
  object: ApiObject,
  { names, access, needsCluster }: InstanceKind,
): ClusterProblem | undefined {
  const clusters = () => access.store(managementResource(names, 'clusters'))
  const isThere = (name: string) => objectIfAny(clusters(), { namespace: '', name }) !== undefined
  return clusterProblem(object, { isThere, needsCluster })
}

const missing = Symbol('a template that does not exist')

interface TemplateVersion {
  version?: string
  template?: unknown
}

/** Referenced template; undefined: none referenced, or it is empty. */
function referredTemplate(spec: Fields, { names, access, templates }: InstanceKind): unknown {
  // Guaranteed by the schema.
  const { name = '', version = '' } = (spec['templateRef'] ?? {}) as {
    name?: string
    version?: string
  }
  if (name === '') return undefined
  const store = access.store(managementResource(names, templates))
  const found = objectIfAny(store, { namespace: '', name })
  if (found === undefined) return missing
  // Guaranteed by the schema of templates.
  const { template, versions = [] } = (found['spec'] ?? {}) as TemplateVersion & {
    versions?: TemplateVersion[]
  }
  if (version === '') return template ?? versions[0]?.template
  const wanted = versions.find((known) => known.version === version)
  return wanted === undefined ? missing : wanted.template
}

function dependsOn(object: ApiObject, { names }: InstanceKind): string {
  const { spec } = fieldsOf(object)
  return jsonText([isAsleep(object, names), spec['template'], spec['templateRef']])
}

/**
 * Reports whether the instance is asleep; command-line clients write `true`, or a number of
 * seconds.
 */
function isAsleep({ metadata }: ApiObject, { domain }: NamesProfile): boolean {
  const force = metadata.annotations?.[`sleepmode.${domain}/force`] ?? ''
  return force !== '' && force !== 'false'
}

function fieldsOf(object: ApiObject): { spec: Fields; status: Fields } {
  object['spec'] ??= {}
  object['status'] ??= {}
  // Guaranteed by the schema; both fields are already set.
  return object as ApiObject & { spec: Fields; status: Fields }
}
