import {
  fischer,
  fischersPath,
  flunder,
  flundersPath,
  get,
  mergeType,
  patch,
  post,
  remove,
  type Case,
} from '../call.ts'

const one = `${flundersPath}/a`
const begin = post(flundersPath, flunder('a'))
const held = post(flundersPath, flunder('a', { metadata: { finalizers: ['example.com/x'] } }))
const options = (rest: object) => ({ kind: 'DeleteOptions', apiVersion: 'v1', ...rest })

export const deleteCases: readonly Case[] = [
  {
    name: 'delete',
    steps: [
      begin,
      remove(`${one}?dryRun=All`),
      remove(one),
      remove(one),
      begin,
      remove(one, options({ propagationPolicy: 'Background' })),
      begin,
      remove(one, { gracePeriodSeconds: 30 }),
      begin,
      remove(`${one}?gracePeriodSeconds=0&propagationPolicy=Foreground`),
      patch(one, { metadata: { finalizers: null } }, mergeType),
      begin,
      remove(one, options({ propagationPolicy: 'Orphan' })),
      get(one),
    ],
  },
  {
    name: 'delete: options that make no sense',
    steps: [
      begin,
      remove(one, options({ propagationPolicy: 'Odd' })),
      remove(one, options({ propagationPolicy: 'Orphan', orphanDependents: true })),
      remove(one, options({ gracePeriodSeconds: -1 })),
      begin,
      remove(one, options({ dryRun: ['Some'] })),
      remove(`${one}?dryRun=Some`),
      remove(`${one}?gracePeriodSeconds=odd`),
      remove(`${one}?propagationPolicy=Odd`),
      remove(one, '{'),
      remove(one, '[]'),
      remove(one, { kind: 'Flunder', apiVersion: 'wardle.example.com/v1alpha1' }),
      remove(one, { kind: 'DeleteOptions', apiVersion: 'v9' }),
      remove(one, options({ unknown: 1 })),
      begin,
      remove(`${one}?propagationPolicy=Background`, options({ propagationPolicy: 'Foreground' })),
      remove(`${flundersPath}/none`),
    ],
  },
  {
    name: 'delete: preconditions',
    steps: [
      begin,
      remove(one, options({ preconditions: { uid: 'other' } })),
      remove(one, options({ preconditions: { resourceVersion: '1' } })),
      (seen) =>
        remove(
          one,
          options({
            preconditions: {
              uid: seen.metadata(0, 'uid'),
              resourceVersion: seen.metadata(0, 'resourceVersion'),
            },
          }),
        ),
      get(one),
    ],
  },
  {
    name: 'delete: finalizers',
    steps: [
      held,
      remove(one),
      remove(one),
      get(one),
      patch(one, { metadata: { finalizers: ['example.com/x', 'example.com/y'] } }, mergeType),
      patch(one, { metadata: { labels: { a: 'b' } } }, mergeType),
      patch(one, { metadata: { deletionTimestamp: null } }, mergeType),
      post(flundersPath, flunder('a')),
      patch(one, { metadata: { finalizers: [] } }, mergeType),
      get(one),
      held,
      remove(one, options({ propagationPolicy: 'Foreground' })),
      patch(one, { metadata: { finalizers: ['foregroundDeletion'] } }, mergeType),
      patch(one, { metadata: { finalizers: [] } }, mergeType),
      held,
      remove(one, options({ propagationPolicy: 'Orphan' })),
      remove(one, options({ propagationPolicy: 'Background' })),
    ],
  },
  {
    name: 'deletecollection',
    steps: [
      ...['a', 'b', 'c', 'd'].map((name) =>
        post(
          flundersPath,
          flunder(name, { metadata: { labels: { is: name < 'c' ? 'low' : 'high' } } }),
        ),
      ),
      post(fischersPath, fischer('f')),
      remove(`${flundersPath}?labelSelector=is%3Dlow&dryRun=All`),
      remove(`${flundersPath}?labelSelector=is%3Dlow`),
      get(flundersPath),
      remove(`${flundersPath}?fieldSelector=metadata.name%3Dc`),
      remove(`${flundersPath}?fieldSelector=odd%3Dc`),
      remove(`${flundersPath}?labelSelector=%3D%3D`),
      remove(`${flundersPath}?limit=1`, options({ propagationPolicy: 'Background' })),
      remove(flundersPath, '{'),
      remove(flundersPath, options({ propagationPolicy: 'Odd' })),
      remove(flundersPath),
      remove(flundersPath),
      remove(flundersPath.replace('/namespaces/{ns}', '')),
      remove(fischersPath),
      get(fischersPath),
    ],
  },
]
