import { forbiddenField, notSupportedField, type FieldError } from '../../meta/fieldErrors.ts'
import { checkFieldPaths, type FieldSelector } from '../../meta/selectors/fieldSelector.ts'
import type { LabelSelector } from '../../meta/selectors/labelSelector.ts'
import { invalid } from '../../meta/statusErrors.ts'
import type { ResourceDefinition } from '../resource.ts'

/** The options of a list or watch in the query. Empty string: absent. Undefined selector: absent. */
export interface ListOptions {
  labelSelector: LabelSelector | undefined
  fieldSelector: FieldSelector | undefined
  resourceVersion: string
  resourceVersionMatch: string
  /** 0: no limit. */
  limit: number
  continueToken: string
  watch: boolean
  allowWatchBookmarks: boolean
  sendInitialEvents: boolean | undefined
  timeoutSeconds: number | undefined
}

/** Validates the options. @throws StatusError Invalid. Source: reference 4.1. */
export function checkListOptions(options: ListOptions): void {
  const errors = options.watch ? watchErrors(options) : listErrors(options)
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', errors)
}

const matchPath = 'resourceVersionMatch'

function listErrors({
  resourceVersion,
  resourceVersionMatch: match,
  continueToken,
  sendInitialEvents,
}: ListOptions): FieldError[] {
  const errors: FieldError[] = []
  if (match !== '') {
    if (resourceVersion === '') {
      errors.push(
        forbiddenField(matchPath, `${matchPath} is forbidden unless resourceVersion is provided`),
      )
    }
    if (continueToken !== '') errors.push(matchWithContinue())
    if (match !== 'Exact' && match !== 'NotOlderThan') {
      errors.push(notSupportedField(matchPath, match, ['Exact', 'NotOlderThan', '']))
    }
    if (match === 'Exact' && resourceVersion === '0') {
      errors.push(
        forbiddenField(matchPath, `${matchPath} "exact" is forbidden for resourceVersion "0"`),
      )
    }
  }
  if (sendInitialEvents !== undefined) {
    errors.push(forbiddenField('sendInitialEvents', 'sendInitialEvents is forbidden for list'))
  }
  return errors
}

function watchErrors({
  resourceVersion,
  resourceVersionMatch: match,
  sendInitialEvents,
  continueToken,
}: ListOptions): FieldError[] {
  const errors: FieldError[] = []
  if (match !== '' && sendInitialEvents === undefined) {
    errors.push(
      forbiddenField(
        matchPath,
        `${matchPath} is forbidden for watch unless sendInitialEvents is provided`,
      ),
    )
  }
  if (sendInitialEvents !== undefined && match !== 'NotOlderThan') {
    errors.push(
      forbiddenField(matchPath, `sendInitialEvents requires setting ${matchPath} to NotOlderThan`),
    )
  }
  if (match !== '' && match !== 'NotOlderThan')
    errors.push(notSupportedField(matchPath, match, ['NotOlderThan']))
  const isDefaulted = sendInitialEvents === undefined && beginsAnywhere(resourceVersion)
  if (continueToken !== '' && (match !== '' || isDefaulted)) errors.push(matchWithContinue())
  return errors
}

/**
 * Reports whether a revision means any: a watch from there without sendInitialEvents is treated as one that requests
 * them, with the same rules.
 */
function beginsAnywhere(resourceVersion: string): boolean {
  return resourceVersion === '' || resourceVersion === '0'
}

function matchWithContinue(): FieldError {
  return forbiddenField(matchPath, `${matchPath} is forbidden when continue is provided`)
}

export interface Selectors {
  /** Undefined: every object. */
  labels: LabelSelector | undefined
  fields: FieldSelector | undefined
}

/** The selectors, checked for the resource. @throws StatusError BadRequest for a field that is not selectable. */
export function selectorsFor(
  { labelSelector: labels, fieldSelector: fields }: ListOptions,
  resource: ResourceDefinition,
): Selectors {
  if (fields !== undefined) {
    const own = Object.keys(resource.selectableFields ?? {})
    const namespace = resource.isNamespaceSelectable === false ? [] : ['metadata.namespace']
    const known = ['metadata.name', ...namespace, ...own]
    checkFieldPaths(fields, known, resource.refusedField)
  }
  return {
    labels: labels?.empty === true ? undefined : labels,
    fields: fields?.empty === true ? undefined : fields,
  }
}
