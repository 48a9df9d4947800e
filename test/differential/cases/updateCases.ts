import { fischer, fischersPath, flunder, flundersPath, get, post, put, type Case } from '../call.ts'

const one = `${flundersPath}/a`
const a = flunder('a', { spec: { reference: 'x' } })

export const updateCases: readonly Case[] = [
  {
    name: 'update',
    steps: [
      post(flundersPath, a),
      put(one, a),
      (seen) =>
        put(
          one,
          flunder('a', {
            metadata: { resourceVersion: seen.metadata(0, 'resourceVersion'), labels: { x: 'y' } },
            spec: { reference: 'z' },
          }),
        ),
      (seen) =>
        put(
          one,
          flunder('a', { metadata: { resourceVersion: seen.metadata(0, 'resourceVersion') } }),
        ),
      (seen) =>
        put(
          one,
          flunder('a', {
            metadata: { resourceVersion: seen.metadata(2, 'resourceVersion'), labels: { x: 'y' } },
            spec: { reference: 'z' },
          }),
        ),
      get(one),
      put(one, flunder('a', { metadata: { resourceVersion: '0' } })),
      put(one, flunder('a', { metadata: { resourceVersion: 'odd' } })),
      put(`${flundersPath}/none`, flunder('none')),
      put(`${flundersPath}/none`, flunder('none', { metadata: { resourceVersion: '5' } })),
      put(one, flunder('b')),
      put(one, { metadata: {} }),
      put(one, flunder('a', { metadata: { namespace: 'other' } })),
      put(one, { ...flunder('a'), kind: 'Fischer' }),
      put(one, ''),
      put(one, '{'),
    ],
  },
  {
    name: 'update: what cannot change',
    steps: [
      post(flundersPath, a),
      (seen) =>
        put(
          one,
          flunder('a', {
            metadata: { resourceVersion: seen.metadata(0, 'resourceVersion'), uid: 'other' },
          }),
        ),
      (seen) =>
        put(
          one,
          flunder('a', {
            metadata: {
              resourceVersion: seen.metadata(0, 'resourceVersion'),
              uid: seen.metadata(0, 'uid'),
              creationTimestamp: '2001-01-01T00:00:00Z',
              deletionTimestamp: '2001-01-01T00:00:00Z',
              generation: 9,
              selfLink: '/x',
            },
          }),
        ),
      get(one),
    ],
  },
  {
    name: 'update: options and managed fields',
    steps: [
      post(fischersPath, fischer('a', { disallowedFlunders: ['x'] })),
      (seen) =>
        put(
          `${fischersPath}/a?dryRun=All&fieldManager=other`,
          fischer('a', {
            metadata: { resourceVersion: seen.metadata(0, 'resourceVersion') },
            disallowedFlunders: ['y'],
          }),
        ),
      (seen) =>
        put(
          `${fischersPath}/a?fieldManager=other`,
          fischer('a', {
            metadata: { resourceVersion: seen.metadata(0, 'resourceVersion') },
            disallowedFlunders: ['y'],
          }),
        ),
      (seen) =>
        put(
          `${fischersPath}/a`,
          fischer('a', {
            metadata: { resourceVersion: seen.metadata(2, 'resourceVersion'), managedFields: [{}] },
          }),
        ),
      put(`${fischersPath}/a?dryRun=Some`, fischer('a')),
      put(`${fischersPath}/a?fieldManager=${'m'.repeat(129)}`, fischer('a')),
    ],
  },
  {
    name: 'update: what is told first',
    steps: [
      put(`${fischersPath}/a?dryRun=Some`, fischer('a'), { 'content-type': 'text/plain' }),
      put(`${flundersPath}/none`, flunder('none', { metadata: { namespace: 'other' } })),
    ],
  },
]
