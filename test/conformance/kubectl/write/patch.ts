import { expect } from 'chai'
import { secret, secretName, type KubectlScenario } from '../fixtures.ts'
import type { KubectlContext } from '../kubectlContext.ts'

async function withOne({ kubectl, file }: KubectlContext): Promise<void> {
  file('one.yaml', secret('one'))
  await kubectl.ok('create -f one.yaml')
}

const patch = (flags: string, body: unknown) =>
  `patch sharedsecret one ${flags} -p '${JSON.stringify(body)}'`
const displayName = 'get sharedsecret one -o jsonpath={.spec.displayName}'
const replaceName = { op: 'replace', path: '/spec/displayName', value: 'Second' }
const rename = { spec: { displayName: 'Second' } }

/** Refusal with the list of accepted media types, which may grow. */
const strategicRefusal = new RegExp(
  '^error: application/strategic-merge-patch\\+json is not supported by management\\.platform/v1, Kind=SharedSecret: the body of the request was in an unknown format - accepted media types include: application/json-patch\\+json, application/merge-patch\\+json(, application/apply-patch\\+yaml)?\n$',
)

export const patchScenarios: readonly KubectlScenario[] = [
  {
    name: 'patch --type=json',
    run: async (context) => {
      await withOne(context)
      const { kubectl } = context
      const operations = [
        replaceName,
        { op: 'add', path: '/metadata/annotations', value: {} },
        { op: 'add', path: '/metadata/annotations/a~1b', value: 'c' },
        { op: 'remove', path: '/spec/description' },
      ]
      expect(await kubectl.ok(patch('--type=json', operations))).to.equal(
        `${secretName('one')} patched\n`,
      )
      expect(await kubectl.ok(displayName)).to.equal('Second')
      const annotations = 'get sharedsecret one -o jsonpath={.metadata.annotations}'
      expect(JSON.parse(await kubectl.ok(annotations))).to.deep.equal({ 'a/b': 'c' })
    },
  },
  {
    name: 'patch --type=json whose test fails, and one of a missing path: Invalid',
    run: async (context) => {
      await withOne(context)
      const failing = [
        { op: 'test', path: '/spec/displayName', value: 'other' },
        { op: 'remove', path: '/spec/nothing' },
      ]
      for (const operation of failing) {
        const error = await context.kubectl.fails(patch('--type=json', [operation]))
        expect(error, operation.op).to.equal(
          'The request is invalid: the server rejected our request due to an error in our request\n',
        )
      }
    },
  },
  {
    name: 'patch --type=merge; the same again: no change',
    run: async (context) => {
      await withOne(context)
      const { kubectl } = context
      const line = patch('--type=merge', { spec: { displayName: 'Second', description: null } })
      expect(await kubectl.ok(line)).to.equal(`${secretName('one')} patched\n`)
      expect(await kubectl.ok(line)).to.equal(`${secretName('one')} patched (no change)\n`)
      expect(await kubectl.ok('get sharedsecret one -o jsonpath={.spec.description}')).to.equal('')
    },
  },
  {
    name: 'patch --type=strategic and without a type: UnsupportedMediaType',
    run: async (context) => {
      await withOne(context)
      for (const flags of ['', '--type=strategic']) {
        const error = await context.kubectl.fails(patch(flags, rename))
        expect(error, flags).to.match(strategicRefusal)
      }
    },
  },
  {
    name: 'patch with a stale resourceVersion: Conflict',
    run: async (context) => {
      await withOne(context)
      const stale = { metadata: { resourceVersion: '1' }, ...rename }
      expect(await context.kubectl.fails(patch('--type=merge', stale))).to.equal(
        'Error from server (Conflict): Operation cannot be fulfilled on sharedsecrets.management.platform "one": the object has been modified; please apply your changes to the latest version and try again\n',
      )
    },
  },
  {
    name: 'patch --dry-run=server stores nothing; a patch that makes the object invalid is refused',
    run: async (context) => {
      await withOne(context)
      const { kubectl } = context
      await kubectl.ok(patch('--type=merge --dry-run=server', rename))
      const bad = { spec: { data: { 'a b': 'eA==' } } }
      expect(await kubectl.fails(patch('--type=merge', bad))).to.match(
        /^The SharedSecret "one" is invalid: spec\.data\[a b\]: Invalid value: "a b": /,
      )
      expect(await kubectl.ok(displayName)).to.equal('First')
    },
  },
  {
    name: 'patch of what is not there: NotFound',
    run: async ({ kubectl }) => {
      expect(await kubectl.fails(patch('--type=merge', rename))).to.equal(
        'Error from server (NotFound): sharedsecrets.management.platform "one" not found\n',
      )
    },
  },
]
