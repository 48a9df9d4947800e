import { expect } from 'chai'
import { checkListOptions, type ListOptions } from '../../../apiserver/registry/read/listOptions.ts'
import { noOptions } from '../../support/listOptions.ts'
import { refusal } from '../../support/refusal.ts'

const match = 'resourceVersionMatch'

describe('checkListOptions', () => {
  const valid: Partial<ListOptions>[] = [
    {},
    { resourceVersion: '0', resourceVersionMatch: 'NotOlderThan' },
    { resourceVersion: '5', resourceVersionMatch: 'Exact', limit: 1 },
    { continueToken: 'x', limit: 1 },
    { watch: true },
    { watch: true, resourceVersion: '5' },
    { watch: true, sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' },
    { watch: true, sendInitialEvents: false, resourceVersionMatch: 'NotOlderThan' },
  ]
  for (const options of valid) {
    it(`accepts ${JSON.stringify(options)} (reference 4.1)`, () => {
      checkListOptions({ ...noOptions, ...options })
    })
  }

  const refused: { options: Partial<ListOptions>; want: string[] }[] = [
    {
      options: { resourceVersionMatch: 'Exact' },
      want: [`${match}: Forbidden: ${match} is forbidden unless resourceVersion is provided`],
    },
    {
      options: { resourceVersion: '5', resourceVersionMatch: 'Exact', continueToken: 'x' },
      want: [`${match}: Forbidden: ${match} is forbidden when continue is provided`],
    },
    {
      options: { resourceVersion: '5', resourceVersionMatch: 'x' },
      want: [`${match}: Unsupported value: "x": supported values: "Exact", "NotOlderThan", ""`],
    },
    {
      options: { resourceVersion: '0', resourceVersionMatch: 'Exact' },
      want: [`${match}: Forbidden: ${match} "exact" is forbidden for resourceVersion "0"`],
    },
    {
      options: { sendInitialEvents: true },
      want: ['sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list'],
    },
    {
      options: { watch: true, sendInitialEvents: true },
      want: [`${match}: Forbidden: sendInitialEvents requires setting ${match} to NotOlderThan`],
    },
    {
      options: { watch: true, resourceVersionMatch: 'NotOlderThan' },
      want: [
        `${match}: Forbidden: ${match} is forbidden for watch unless sendInitialEvents is provided`,
      ],
    },
    {
      options: { watch: true, sendInitialEvents: true, resourceVersionMatch: 'Exact' },
      want: [
        `${match}: Forbidden: sendInitialEvents requires setting ${match} to NotOlderThan`,
        `${match}: Unsupported value: "Exact": supported values: "NotOlderThan"`,
      ],
    },
    {
      options: { watch: true, sendInitialEvents: true, continueToken: 'x' },
      want: [`${match}: Forbidden: sendInitialEvents requires setting ${match} to NotOlderThan`],
    },
    {
      options: { watch: true, resourceVersion: '0', continueToken: 'x' },
      want: [`${match}: Forbidden: ${match} is forbidden when continue is provided`],
    },
    {
      options: {
        watch: true,
        sendInitialEvents: true,
        resourceVersionMatch: 'NotOlderThan',
        continueToken: 'x',
      },
      want: [`${match}: Forbidden: ${match} is forbidden when continue is provided`],
    },
  ]
  for (const { options, want } of refused) {
    it(`refuses ${JSON.stringify(options)}: 422 Invalid (reference 4.1)`, async () => {
      const status = await refusal(() => checkListOptions({ ...noOptions, ...options }))
      const all = want.length === 1 ? want.join() : `[${want.join(', ')}]`
      expect([status.code, status.reason, status.message]).to.deep.equal([
        422,
        'Invalid',
        `ListOptions.meta.k8s.io "" is invalid: ${all}`,
      ])
      expect(
        status.details?.causes?.map(({ field, message }) => `${field}: ${message}`),
      ).to.deep.equal(want)
    })
  }
})
