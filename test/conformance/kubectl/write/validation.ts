import { expect } from 'chai'
import { secret, secretName, type KubectlScenario } from '../fixtures.ts'

const inCreating = (file: string) => `error when creating "${file}": `
const unknownField = { nothing: 1 }
const notUnderstood =
  'SharedSecret in version "v1" cannot be handled as a SharedSecret: strict decoding error: unknown field "spec.nothing"'

export const validationScenarios: readonly KubectlScenario[] = [
  {
    name: 'an invalid object: 422 with its cause',
    run: async ({ kubectl, file }) => {
      file('bad.yaml', secret('bad', { data: { 'a b': 'eA==' } }))
      expect(await kubectl.fails('create -f bad.yaml')).to.equal(
        "The SharedSecret \"bad\" is invalid: spec.data[a b]: Invalid value: \"a b\": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')\n",
      )
    },
  },
  {
    name: 'wrong types: 422 with one cause for each field',
    run: async ({ kubectl, file }) => {
      file('bad.yaml', secret('bad', { displayName: 5, access: [{ verbs: 'get' }] }))
      const [head, ...causes] = (await kubectl.fails('create -f bad.yaml')).trim().split('\n')
      expect(head).to.equal('The SharedSecret "bad" is invalid: ')
      const fields = causes.map((cause) => /^\* ([^:]+): Invalid value: /.exec(cause)?.[1])
      expect(fields.sort()).to.deep.equal(['spec.access[0].verbs', 'spec.displayName'])
    },
  },
  {
    name: 'a bad name: 422 in the words of the real server',
    run: async ({ kubectl, file }) => {
      file('bad.yaml', secret('Bad_Name'))
      expect(await kubectl.fails('create -f bad.yaml')).to.equal(
        "The SharedSecret \"Bad_Name\" is invalid: metadata.name: Invalid value: \"Bad_Name\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')\n",
      )
    },
  },
  {
    name: 'a bad label: 422 in the words of the real server',
    run: async ({ kubectl }) => {
      const error = await kubectl.fails('label namespace default tier=not/good')
      expect(error).to.match(
        /^error: invalid label value: "tier=not\/good": a valid label must be /,
      )
    },
  },
  {
    name: '--validate=strict refuses an unknown field, and so does no flag at all',
    run: async ({ kubectl, file }) => {
      file('odd.yaml', secret('odd', unknownField))
      const refusal = `Error from server (BadRequest): ${inCreating('odd.yaml')}${notUnderstood}\n`
      expect(await kubectl.fails('create --validate=strict -f odd.yaml')).to.equal(refusal)
      expect(await kubectl.fails('create -f odd.yaml')).to.equal(refusal)
    },
  },
  {
    name: '--validate=warn warns of an unknown field and drops it',
    run: async ({ kubectl, file }) => {
      file('odd.yaml', secret('odd', unknownField))
      const { code, stdout, stderr } = await kubectl.run('create --validate=warn -f odd.yaml')
      expect(stderr).to.equal('Warning: unknown field "spec.nothing"\n')
      expect({ code, stdout }).to.deep.equal({ code: 0, stdout: `${secretName('odd')} created\n` })
      expect(await kubectl.ok('get sharedsecret odd -o jsonpath={.spec.nothing}')).to.equal('')
    },
  },
  {
    name: '--validate=false drops an unknown field without a word',
    run: async ({ kubectl, file }) => {
      file('odd.yaml', secret('odd', unknownField))
      const output = await kubectl.run('create --validate=false -f odd.yaml')
      expect(output).to.deep.equal({
        code: 0,
        stdout: `${secretName('odd')} created\n`,
        stderr: '',
      })
      expect(await kubectl.ok('get sharedsecret odd -o jsonpath={.spec.nothing}')).to.equal('')
    },
  },
  {
    name: 'apply --validate=strict refuses an unknown field of an object that exists',
    run: async ({ kubectl, file }) => {
      file('odd.yaml', secret('odd'))
      await kubectl.ok('apply -f odd.yaml')
      file('odd.yaml', secret('odd', unknownField))
      const error = await kubectl.fails('apply --validate=strict -f odd.yaml')
      expect(error).to.contain('strict decoding error: unknown field "spec.nothing"')
    },
  },
]
