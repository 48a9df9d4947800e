import type { Parameter } from './route.ts'

/** Every parameter the API knows, described once. */

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
    'Whether a watch may send events of type BOOKMARK, which only bring a new resourceVersion.',
    'boolean',
  ),
  continue: query(
    'continue',
    'Asks for the page after the one that gave this token. A token lasts some minutes; after that the answer is 410.',
  ),
  dryRun: query('dryRun', '`All`: do everything but store the outcome.'),
  fieldManager: query(
    'fieldManager',
    'Who makes this change, at most 128 printable characters. Needed for apply patches.',
  ),
  fieldSelector: query('fieldSelector', 'Only objects whose fields match.'),
  fieldValidation: query(
    'fieldValidation',
    'What to do with unknown and repeated fields. `Ignore`: drop them. `Warn`: drop them and send warnings. `Strict`: refuse the request.',
  ),
  force: query(
    'force',
    'For apply patches: take over fields that belong to other managers.',
    'boolean',
  ),
  gracePeriodSeconds: query(
    'gracePeriodSeconds',
    'The seconds the object gets to end by itself; 0 is at once.',
    'integer',
  ),
  ignoreStoreReadErrorWithClusterBreakingPotential: query(
    'ignoreStoreReadErrorWithClusterBreakingPotential',
    'Deletes an object that cannot be read. No effect unless the alpha feature for it is enabled.',
    'boolean',
  ),
  labelSelector: query('labelSelector', 'Only objects whose labels match.'),
  limit: query('limit', 'The greatest number of objects on a page.', 'integer'),
  orphanDependents: query(
    'orphanDependents',
    'Older form of propagationPolicy: true is `Orphan`, false is `Background`.',
    'boolean',
  ),
  propagationPolicy: query(
    'propagationPolicy',
    'What becomes of objects owned by the deleted one: `Background`, `Foreground` or `Orphan`.',
  ),
  resourceVersion: query(
    'resourceVersion',
    'The version a list must have or a watch begins after. `0`: any version.',
  ),
  resourceVersionMatch: query(
    'resourceVersionMatch',
    'How resourceVersion is meant: `NotOlderThan` or `Exact`.',
  ),
  sendInitialEvents: query(
    'sendInitialEvents',
    'Whether a watch begins with the objects there are, followed by a BOOKMARK.',
    'boolean',
  ),
  shardSelector: query(
    'shardSelector',
    'Only objects of a shard. No effect unless the alpha feature for it is enabled.',
  ),
  timeoutSeconds: query(
    'timeoutSeconds',
    'The seconds after which a list or watch ends.',
    'integer',
  ),
  watch: query('watch', 'Stream the changes instead of listing the objects.', 'boolean'),
} satisfies Record<string, Parameter>

export const pretty = query('pretty', '`true`: indent the answer.')
export const name = (kind: string): Parameter => path('name', `The name of the ${kind}.`)
export const namespace = path('namespace', 'The namespace of the objects.')

export const { resourceVersion } = known
const { resourceVersionMatch, sendInitialEvents, timeoutSeconds } = known
const { dryRun, fieldManager, fieldValidation, gracePeriodSeconds, limit } = known
const selection = [
  ...[known.continue, known.fieldSelector, known.labelSelector, limit],
  known.shardSelector,
]
const versions = [resourceVersion, resourceVersionMatch, sendInitialEvents, timeoutSeconds]

/** The query parameters of each verb, by name. Source: reference 6.6; Kubernetes API reference, "Common parameters". */
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
