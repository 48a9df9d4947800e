import { expect } from 'chai'
import type { KubectlScenario } from '../fixtures.ts'

export const explainScenarios: readonly KubectlScenario[] = [
  {
    name: 'explain a kind: group, version, description and fields',
    run: async ({ kubectl }) => {
      const text = await kubectl.ok('explain users')
      expect(text).to.match(/^GROUP: {6}management\.platform\nKIND: {7}User\nVERSION: {4}v1\n/)
      expect(text).to.contain('User holds the user information.')
      for (const field of ['apiVersion\t<string>', 'metadata\t<ObjectMeta>', 'spec\t<']) {
        expect(text).to.contain(`  ${field}`)
      }
    },
  },
  {
    name: 'explain a field of a core kind',
    run: async ({ kubectl }) => {
      const text = await kubectl.ok('explain namespace.status.phase')
      expect(text).to.match(/^KIND: {7}Namespace\nVERSION: {4}v1\n\nFIELD: phase <string>\n/)
    },
  },
  {
    name: 'explain --recursive shows the whole tree',
    run: async ({ kubectl }) => {
      const text = await kubectl.ok('explain sharedsecrets --recursive')
      expect(text).to.match(/^ {2}spec\t<\w+>\n/m)
      expect(text).to.contain('\n    data\t<map[string]string>\n')
      expect(text).to.match(/^ {4}access\t<\[\]\w+>\n {6}name\t<string>\n/m)
      expect(text).to.match(/^ {6}verbs\t<\[\]string>/m)
      expect(text).to.match(/^ {4}ownerReferences\t<\[\]OwnerReference>\n {6}apiVersion/m)
    },
  },
  {
    name: 'explain of a map field tells what it maps',
    run: async ({ kubectl }) => {
      const text = await kubectl.ok('explain sharedsecrets.spec.data')
      expect(text).to.contain('FIELD: data <map[string]string>')
    },
  },
  {
    name: 'explain --output=plaintext-openapiv2 reads the protobuf document',
    run: async ({ kubectl }) => {
      const text = await kubectl.ok('explain users.spec.email --output=plaintext-openapiv2')
      expect(text).to.equal(
        [
          'KIND:     User',
          'VERSION:  management.platform/v1',
          '',
          'FIELD:    email <string>',
          '',
          'DESCRIPTION:',
          "     The user's email address.",
          '',
        ].join('\n'),
      )
    },
  },
  {
    name: 'explain --output=plaintext-openapiv2 --recursive',
    run: async ({ kubectl }) => {
      const text = await kubectl.ok('explain users --recursive --output=plaintext-openapiv2')
      expect(text).to.contain('FIELDS:\n   apiVersion\t<string>\n   kind\t<string>\n')
      expect(text).to.match(/^ {6}groups\t<\[\]string>$/m)
    },
  },
  {
    name: 'explain of a field that is not there fails',
    run: async ({ kubectl }) => {
      expect(await kubectl.fails('explain users.spec.nothing')).to.equal(
        'error: field "nothing" does not exist\n',
      )
    },
  },
]
