import {
  applyType,
  fischer,
  fischersPath,
  flunder,
  flundersPath,
  get,
  mergeType,
  patch,
  put,
  type Case,
} from '../call.ts'

const one = `${flundersPath}/a`
const apply = (manager: string, body: unknown, rest = '') =>
  patch(`${one}?fieldManager=${manager}${rest}`, body, applyType)
const withReference = (reference: string, rest = {}) =>
  flunder('a', { spec: { reference, referenceType: 'Flunder' }, ...rest })

export const applyCases: readonly Case[] = [
  {
    name: 'apply',
    steps: [
      apply('one', withReference('x')),
      apply('one', withReference('x')),
      apply('one', withReference('y', { metadata: { labels: { l: 'v' } } })),
      apply('two', withReference('z')),
      apply('two', withReference('z'), '&force=true'),
      apply('one', flunder('a', { metadata: { labels: { l: 'v' } } })),
      apply('one', flunder('a')),
      apply('two', withReference('z'), '&dryRun=All'),
      get(one),
    ],
  },
  {
    name: 'apply: conflicts with other writers',
    steps: [
      apply('one', withReference('x', { metadata: { labels: { l: 'v', m: 'w' } } })),
      patch(
        `${one}?fieldManager=editor`,
        { spec: { reference: 'e' }, metadata: { labels: { l: 'e' } } },
        mergeType,
      ),
      apply('one', withReference('x', { metadata: { labels: { l: 'v' } } })),
      apply('two', withReference('t', { metadata: { labels: { m: 't' } } })),
      apply('one', withReference('x'), '&force=true'),
      (seen) =>
        put(
          `${one}?fieldManager=editor`,
          flunder('a', { metadata: { resourceVersion: seen.metadata(4, 'resourceVersion') } }),
        ),
      apply('one', withReference('e')),
    ],
  },
  {
    name: 'apply: requests that make no sense',
    steps: [
      patch(one, withReference('x'), applyType),
      apply('one', { spec: {} }),
      apply('one', { ...withReference('x'), kind: 'Fischer' }),
      apply('one', { ...withReference('x'), apiVersion: 'other/v1' }),
      apply('one', flunder('b')),
      apply('one', flunder('a', { metadata: { managedFields: [{ manager: 'x' }] } })),
      apply('one', flunder('a', { metadata: { resourceVersion: '5' } })),
      apply('one', flunder('a', { metadata: { uid: 'u' } })),
      apply('one', '{'),
      apply('one', ''),
      apply('one', '- a\n- b\n'),
      apply(
        'one',
        'kind: Flunder\napiVersion: wardle.example.com/v1alpha1\nspec: {reference: yaml}\n',
      ),
      apply('one', withReference('x'), '&force=odd'),
      apply('m'.repeat(129), withReference('x')),
      apply('one', flunder('a', { spec: 'text' })),
      apply('one', flunder('a', { spec: { reference: 5 } })),
      apply('one', flunder('a', { spec: null })),
      apply('one', flunder('a', { metadata: { namespace: 'other' } })),
    ],
  },
  {
    name: 'apply: lists and deletions of fields',
    steps: [
      patch(
        `${fischersPath}/a?fieldManager=one`,
        fischer('a', { disallowedFlunders: ['x'] }),
        applyType,
      ),
      patch(
        `${fischersPath}/a?fieldManager=two`,
        fischer('a', { disallowedFlunders: ['y'] }),
        applyType,
      ),
      patch(
        `${fischersPath}/a?fieldManager=two`,
        fischer('a', { metadata: { finalizers: ['example.com/two'] } }),
        applyType,
      ),
      patch(
        `${fischersPath}/a?fieldManager=one`,
        fischer('a', { metadata: { finalizers: ['example.com/one'] } }),
        applyType,
      ),
      patch(`${fischersPath}/a?fieldManager=two`, fischer('a'), applyType),
      patch(`${fischersPath}/a?fieldManager=two`, { metadata: { managedFields: null } }, mergeType),
      patch(`${fischersPath}/a?fieldManager=two`, { metadata: { managedFields: [{}] } }, mergeType),
      get(`${fischersPath}/a`),
    ],
  },
  {
    name: 'apply: metadata that says nothing',
    steps: [
      patch(
        `${flundersPath}/a?fieldManager=one`,
        flunder('a', { metadata: { uid: null } }),
        applyType,
      ),
      patch(
        `${flundersPath}/b?fieldManager=one`,
        flunder('b', { metadata: { uid: '' } }),
        applyType,
      ),
      patch(
        `${flundersPath}/c?fieldManager=one`,
        flunder('c', { metadata: { selfLink: '/c' } }),
        applyType,
      ),
      patch(
        `${flundersPath}/c?fieldManager=one`,
        flunder('c', { metadata: { selfLink: '/d' } }),
        applyType,
      ),
      patch(`${flundersPath}/d?fieldManager=one`, { ...flunder('d'), metadata: null }, applyType),
      patch(`${flundersPath}/a?fieldManager=one`, { ...flunder('a'), metadata: null }, applyType),
      get(flundersPath),
    ],
  },
]
