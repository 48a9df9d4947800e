import { mergeType, patch, post } from '../../call.ts'
import {
  allow,
  anyRule,
  configMap,
  configMaps,
  patching,
  pod,
  pods,
  type HookCase,
} from './hookCase.ts'

const label = [{ op: 'add', path: '/metadata/labels', value: { added: 'yes' } }]
const touch = [{ op: 'add', path: '/data/touched', value: 'yes' }]
const count = patching([{ op: 'add', path: '/data/count', value: 'x' }])

/** Several webhooks in one request: their order, and repeated calls. */
export const orderCases: readonly HookCase[] = [
  ...(['Never', 'IfNeeded'] as const).flatMap((first) =>
    (['Never', 'IfNeeded'] as const).map((second) => ({
      name: `two that change, ${first} and ${second}`,
      hooks: [
        {
          type: 'mutating' as const,
          name: 'a',
          behaviour: patching(touch),
          fields: { reinvocationPolicy: first },
        },
        {
          type: 'mutating' as const,
          name: 'b',
          behaviour: count,
          fields: { reinvocationPolicy: second },
        },
      ],
      calls: [
        post(configMaps, configMap('a')),
        post(configMaps, configMap('b', { data: { touched: 'yes' } })),
      ],
    })),
  ),
  {
    name: 'one that is matched only after a change',
    hooks: [
      {
        type: 'mutating',
        name: 'a',
        behaviour: allow,
        fields: {
          reinvocationPolicy: 'IfNeeded',
          objectSelector: { matchLabels: { added: 'yes' } },
        },
      },
      { type: 'mutating', name: 'b', behaviour: patching(label) },
      {
        type: 'validating',
        name: 'c',
        behaviour: allow,
        fields: { objectSelector: { matchLabels: { added: 'yes' } } },
      },
    ],
    calls: [post(configMaps, configMap('a'))],
  },
  {
    name: 'a denial before others',
    hooks: [
      { type: 'mutating', name: 'a', behaviour: allow },
      {
        type: 'mutating',
        name: 'b',
        behaviour: (review) => ({
          body: JSON.stringify({
            kind: 'AdmissionReview',
            apiVersion: review.apiVersion,
            response: { uid: review.request.uid, allowed: false },
          }),
        }),
      },
      { type: 'mutating', name: 'c', behaviour: allow },
      { type: 'validating', name: 'd', behaviour: allow },
    ],
    calls: [post(configMaps, configMap('a'))],
  },
  {
    name: 'policies and webhooks that change a pod',
    hooks: [
      {
        type: 'mutating',
        name: 'a',
        behaviour: patching([
          { op: 'add', path: '/spec/containers/-', value: { name: 'd', image: 'j' } },
        ]),
        fields: { rules: [{ ...anyRule, resources: ['pods'] }] },
      },
      { type: 'validating', name: 'b', behaviour: allow },
    ],
    calls: [
      post(pods, pod('p')),
      patch(`${pods}/p`, { metadata: { labels: { a: 'b' } } }, mergeType),
    ],
  },
]
