import type { Parameter } from './route.ts'

/** All parameters of the API. */

type Type = Parameter['type']

const query = (name: string, description: string, type: Type = 'string'): Parameter => ({
  name,
  in: 'query',
  type,
  description,
})
const path = (name: string, description: string): Parameter => ({
  name,
  in: 'path',
  type: 'string',
  description,
})

const known = {
  allowWatchBookmarks: query(
    'allowWatchBookmarks',
    'Whether a watch may send events of type BOOKMARK, which carry only a new resourceVersion.',
    'boolean',
  ),
  continue: query(
    'continue',
    'Requests the page after the one that returned this token. Tokens expire after some minutes; an expired token gets 410.',
  ),
  dryRun: query('dryRun', '`All`: do everything except store the result.'),
  fieldManager: query(
    'fieldManager',
    'Name of the manager of this change, at most 128 printable characters. Required for apply patches.',
  ),
  fieldSelector: query('fieldSelector', 'Only objects whose fields match.'),
  fieldValidation: query(
    'fieldValidation',
    'Handling of unknown and repeated fields. `Ignore`: drop them. `Warn`: drop them and send warnings. `Strict`: refuse the request.',
  ),
  force: query(
    'force',
    'For apply patches: take ownership of fields of other managers.',
    'boolean',
  ),
  gracePeriodSeconds: query(
    'gracePeriodSeconds',
    'Grace period in seconds; 0: delete immediately.',
    'integer',
  ),
  ignoreStoreReadErrorWithClusterBreakingPotential: query(
    'ignoreStoreReadErrorWithClusterBreakingPotential',
    'Deletes an object that cannot be read. No effect unless the alpha feature for it is enabled.',
    'boolean',
  ),
  labelSelector: query('labelSelector', 'Only objects whose labels match.'),
  limit: query('limit', 'Maximum number of objects in a page.', 'integer'),
  orphanDependents: query(
    'orphanDependents',
    'Older form of propagationPolicy: true is `Orphan`, false is `Background`.',
    'boolean',
  ),
  propagationPolicy: query(
    'propagationPolicy',
    'Handling of dependent objects: `Background`, `Foreground` or `Orphan`.',
  ),
  resourceVersion: query(
    'resourceVersion',
    'Version of a list, or version after which a watch starts. `0`: any version.',
  ),
  resourceVersionMatch: query(
    'resourceVersionMatch',
    'Meaning of resourceVersion: `NotOlderThan` or `Exact`.',
  ),
  sendInitialEvents: query(
    'sendInitialEvents',
    'Whether a watch starts with the existing objects, followed by a BOOKMARK.',
    'boolean',
  ),
  shardSelector: query(
    'shardSelector',
    'Only objects of a shard. No effect unless the alpha feature for it is enabled.',
  ),
  timeoutSeconds: query('timeoutSeconds', 'Time limit of a list or watch in seconds.', 'integer'),
  watch: query('watch', 'Stream the changes instead of listing the objects.', 'boolean'),
} satisfies Record<string, Parameter>

export const pretty = query('pretty', '`true`: indent the response.')
export const name = (kind: string): Parameter => path('name', `The name of the ${kind}.`)
export const pathBehind = path('path', 'The path on the other server.')
export const namespace = path('namespace', 'The namespace of the objects.')

export const { resourceVersion } = known
const { resourceVersionMatch, sendInitialEvents, timeoutSeconds } = known
const { dryRun, fieldManager, fieldValidation, gracePeriodSeconds, limit } = known
const selection = [
  ...[known.continue, known.fieldSelector, known.labelSelector, limit],
  known.shardSelector,
]
const versions = [resourceVersion, resourceVersionMatch, sendInitialEvents, timeoutSeconds]

/** Query parameters of each verb, by name. Source: reference 6.6; Kubernetes API reference, "Common parameters". */
export const listParameters = sorted([
  known.allowWatchBookmarks,
  ...selection,
  ...versions,
  known.watch,
])
export const writeParameters = [dryRun, fieldManager, fieldValidation]
export const patchParameters = [...writeParameters, known.force]
export const deleteParameters = [
  dryRun,
  gracePeriodSeconds,
  known.ignoreStoreReadErrorWithClusterBreakingPotential,
  known.orphanDependents,
  known.propagationPolicy,
]
export const deleteCollectionParameters = sorted([...deleteParameters, ...selection, ...versions])

function sorted(parameters: Parameter[]): Parameter[] {
  return parameters.sort((a, b) => (a.name < b.name ? -1 : 1))
}
