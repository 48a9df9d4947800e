import { expect } from 'chai'
import { columns } from '../../support/columns.ts'
import { user } from '../../support/objects.ts'
import { labelled, secret, secretName, userName, type KubectlScenario } from '../fixtures.ts'
import type { KubectlContext } from '../kubectlContext.ts'

async function withThree({ kubectl, file }: KubectlContext): Promise<void> {
  const made = [
    labelled(secret('a', { displayName: 'Z' }), { tier: 'gold', zone: 'x' }),
    labelled(secret('b', { displayName: 'Y' }), { tier: 'silver' }),
    secret('c', { displayName: 'X' }),
  ]
  file('three.yaml', ...made)
  await kubectl.ok('create -f three.yaml')
}

const names = (...list: string[]) => list.map((name) => `${secretName(name)}\n`).join('')

const selections: readonly { flag: string; want: string[] }[] = [
  { flag: '-l tier=gold', want: ['a'] },
  { flag: '-l tier==gold', want: ['a'] },
  { flag: '-l tier!=gold', want: ['b', 'c'] },
  { flag: '-l tier', want: ['a', 'b'] },
  { flag: "-l '!tier'", want: ['c'] },
  { flag: "-l 'tier in (gold, silver),!zone'", want: ['b'] },
  { flag: "-l 'tier notin (gold)'", want: ['b', 'c'] },
  { flag: '--field-selector metadata.name=b', want: ['b'] },
  { flag: '--field-selector metadata.name!=b', want: ['a', 'c'] },
  { flag: '-l tier --field-selector metadata.name!=a', want: ['b'] },
]

export const listScenarios: readonly KubectlScenario[] = [
  {
    name: 'get -l and --field-selector select',
    run: async (context) => {
      await withThree(context)
      for (const { flag, want } of selections) {
        const out = await context.kubectl.ok(`get sharedsecrets -o name ${flag}`)
        expect(out, flag).to.equal(names(...want))
      }
    },
  },
  {
    name: 'get --field-selector of a field that the kind declares',
    run: async ({ kubectl, namespace, file }) => {
      const [jane, joe] = [`${namespace}-jane`, `${namespace}-joe`]
      file('users.yaml', user(jane, { username: jane }), user(joe, { username: joe }))
      await kubectl.ok('create -f users.yaml')
      const out = await kubectl.ok(`get users -o name --field-selector spec.username=${joe}`)
      expect(out).to.equal(`${userName(joe)}\n`)
    },
  },
  {
    name: 'get --field-selector of an unknown field is refused, as is a bad -l',
    run: async ({ kubectl }) => {
      expect(await kubectl.fails('get users --field-selector spec.none=x')).to.match(
        /^Error from server \(BadRequest\): Unable to find "management\.platform\/v1, Resource=users" that match label selector "", field selector "spec\.none=x": /,
      )
      expect(await kubectl.fails("get users -l 'a in (b'")).to.match(
        /unable to parse requirement: found '', expected: ',' or '\)'\n$/,
      )
    },
  },
  {
    name: 'get --sort-by sorts by a field',
    run: async (context) => {
      await withThree(context)
      const byDisplayName = 'get sharedsecrets -o name --sort-by=.spec.displayName'
      expect(await context.kubectl.ok(byDisplayName)).to.equal(names('c', 'b', 'a'))
      const table = await context.kubectl.ok('get sharedsecrets --sort-by=.spec.displayName')
      expect(columns(table)[1]).to.equal('c | X | 1 | <age>')
    },
  },
  {
    name: 'get --chunk-size pages through the list',
    run: async (context) => {
      await withThree(context)
      const { kubectl } = context
      const { stdout, stderr } = await kubectl.run('get sharedsecrets -o name --chunk-size=1 -v=6')
      expect(stdout).to.equal(names('a', 'b', 'c'))
      expect(stderr.match(/limit=1/g)).to.have.length(3)
      expect(stderr.match(/continue=/g)).to.have.length(2)
      expect(columns(await kubectl.ok('get sharedsecrets --chunk-size=2'))).to.have.length(4)
    },
  },
  {
    name: 'get -A shows the namespace; several kinds at once show their kinds',
    run: async (context) => {
      await withThree(context)
      const { kubectl, namespace } = context
      const selected = await kubectl.ok('get sharedsecrets -A --field-selector metadata.name=b')
      const [head, ...rows] = columns(selected)
      expect(head).to.equal('NAMESPACE | NAME | DISPLAY NAME | DATA | AGE')
      expect(rows).to.include(`${namespace} | b | Y | 1 | <age>`)
      const both = await kubectl.ok('get sharedsecret/a user/admin')
      expect(columns(both)).to.deep.equal([
        'NAME | DISPLAY NAME | DATA | AGE',
        `${secretName('a')} | Z | 1 | <age>`,
        '',
        'NAME | USERNAME | EMAIL | AGE',
        `${userName('admin')} | admin | <age>`,
      ])
    },
  },
]
