import { expect } from 'chai'
import type { KubectlScenario } from '../fixtures.ts'

export const whoamiScenarios: readonly KubectlScenario[] = [
  {
    name: 'auth whoami tells the user, its groups and its uid',
    skip: ({ kubectl }) =>
      kubectl.minor < 28 ? 'asks before the review had its first stable version' : undefined,
    run: async ({ kubectl }) => {
      const text = await kubectl.ok('auth whoami')
      expect(text).to.match(/^ATTRIBUTE +VALUE\nUsername +admin\n/)
      expect(text).to.match(/^Groups +\[.*system:authenticated/m)
      const review = JSON.parse(await kubectl.ok('auth whoami -o json')) as object
      expect(review).to.deep.include({ kind: 'SelfSubjectReview' })
    },
  },
  {
    name: 'auth can-i --list, and auth can-i of one request',
    run: async ({ kubectl }) => {
      expect(await kubectl.ok('auth can-i --list')).to.match(/^\*\.\* +\[\] +\[\] +\[\*\]$/m)
      expect(await kubectl.ok('auth can-i create deployments --subresource=scale')).to.equal(
        'yes\n',
      )
      const asked = 'auth can-i delete pods --as=nobody-at-all'
      expect((await kubectl.run(asked)).stdout).to.match(/^no\b/)
    },
  },
]
