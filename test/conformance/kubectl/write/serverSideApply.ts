import { expect } from 'chai'
import { configMap, coreSecret, ownersOf, service } from '../kinds/coreFixtures.ts'
import { secret, secretName, type KubectlScenario } from '../fixtures.ts'

/** Advice of kubectl, which follows the conflicts. */
const advice = `Please review the fields above--they currently have other managers. Here
are the ways you can resolve this warning:
* If you intend to manage all of these fields, please re-run the apply
  command with the \`--force-conflicts\` flag.
* If you do not intend to manage all of the fields, please edit your
  manifest to remove references to the fields that should keep their
  current managers.
* You may co-own fields by updating your manifest to match the existing
  value; in this case, you'll become the manager if the other manager(s)
  stop managing the field (remove it from their configuration).
See https://kubernetes.io/docs/reference/using-api/server-side-apply/#conflicts
`
const apply = 'apply --server-side -f one.yaml'
const applied = 'configmap/one serverside-applied\n'
const data = 'get cm one -o jsonpath={.data}'

export const serverSideApplyScenarios: readonly KubectlScenario[] = [
  {
    name: 'apply --server-side creates; again: no new version; a subset removes the rest (reference 3.12)',
    run: async (context) => {
      const { kubectl, file } = context
      const version = 'get cm one -o jsonpath={.metadata.resourceVersion}'
      file('one.yaml', configMap('one', { a: 'first', b: 'second' }))
      expect(await kubectl.ok(apply)).to.equal(applied)
      const before = await kubectl.ok(version)
      expect(await kubectl.ok(apply)).to.equal(applied)
      expect(await kubectl.ok(version)).to.equal(before)
      file('one.yaml', configMap('one', { a: 'first' }))
      await kubectl.ok(apply)
      expect(await kubectl.ok(data)).to.equal('{"a":"first"}')
      expect(await ownersOf(context, 'cm one')).to.deep.equal({
        'kubectl Apply': { 'f:data': { 'f:a': {} } },
      })
    },
  },
  {
    name: 'apply --server-side of what another manager has: the conflict, and --force-conflicts (reference 3.13)',
    run: async (context) => {
      const { kubectl, file } = context
      file('one.yaml', configMap('one', { a: 'first', b: 'second' }))
      await kubectl.ok(apply)
      file('one.yaml', configMap('one', { a: 'other', b: 'second' }))
      const other = `${apply} --field-manager=other`
      expect(await kubectl.fails(other)).to.equal(
        `error: Apply failed with 1 conflict: conflict with "kubectl": .data.a\n${advice}`,
      )
      expect(await kubectl.ok(`${other} --force-conflicts`)).to.equal(applied)
      expect(await kubectl.ok(data)).to.equal('{"a":"other","b":"second"}')
      expect(await ownersOf(context, 'cm one')).to.deep.equal({
        'kubectl Apply': { 'f:data': { 'f:b': {} } },
        'other Apply': { 'f:data': { 'f:a': {}, 'f:b': {} } },
      })
    },
  },
  {
    name: 'several conflicts, with a manager that created and one that patched (reference 3.13)',
    run: async ({ kubectl, file }) => {
      file('one.yaml', secret('one'))
      await kubectl.ok('create -f one.yaml')
      await kubectl.ok(
        `patch sharedsecret one --type=merge -p '{"spec":{"displayName":"Patched"}}'`,
      )
      file('one.yaml', secret('one', { displayName: 'Applied', description: 'applied' }))
      const text = [
        'error: Apply failed with 2 conflicts: conflicts with "kubectl-create" using management.platform/v1:',
        '- .spec.description',
        'conflicts with "kubectl-patch" using management.platform/v1:',
        '- .spec.displayName',
      ].join('\n')
      expect(await kubectl.fails(apply)).to.equal(`${text}\n${advice}`)
      expect(await kubectl.ok(`${apply} --force-conflicts`)).to.equal(
        `${secretName('one')} serverside-applied\n`,
      )
    },
  },
  {
    name: 'apply --server-side of a field that the schema does not have (reference 3.13)',
    run: async ({ kubectl, file }) => {
      file('one.yaml', secret('one', { nonsense: 'x' }))
      const error = await kubectl.fails(`${apply} --validate=false`)
      expect(error).to.match(
        /^Error from server: failed to create typed patch object \(space-\d+\/one; management\.platform\/v1, Kind=SharedSecret\): \.spec\.nonsense: field not declared in schema\n$/,
      )
    },
  },
  {
    name: 'apply --server-side --dry-run=server stores nothing',
    run: async ({ kubectl, file }) => {
      file('one.yaml', configMap('one', { a: 'first' }))
      expect(await kubectl.ok(`${apply} --dry-run=server`)).to.equal(
        'configmap/one serverside-applied (server dry run)\n',
      )
      expect(await kubectl.ok('get cm one --ignore-not-found')).to.equal('')
    },
  },
  {
    name: 'diff --server-side shows what apply would do, and a conflict with an exit code above 1',
    run: async ({ kubectl, file }) => {
      file('one.yaml', configMap('one', { a: 'first' }))
      const diff = 'diff --server-side -f one.yaml'
      expect(await kubectl.run(diff)).to.include({ code: 1 })
      await kubectl.ok(apply)
      expect(await kubectl.run(diff)).to.deep.equal({ code: 0, stdout: '', stderr: '' })
      file('one.yaml', configMap('one', { a: 'other' }))
      const { code, stdout } = await kubectl.run(diff)
      expect(code).to.equal(1)
      expect(stdout).to.contain('\n-  a: first\n+  a: other\n')
      const conflict = await kubectl.run(`${diff} --field-manager=other`)
      expect(conflict.code).to.equal(2)
      expect(conflict.stderr).to.contain('Apply failed with 1 conflict: conflict with "kubectl"')
      const forced = await kubectl.run(`${diff} --field-manager=other --force-conflicts`)
      expect(forced).to.include({ code: 1, stderr: '' })
      expect(await kubectl.ok(data)).to.equal('{"a":"first"}')
    },
  },
  {
    name: 'apply, then apply --server-side: the fields move to the new manager (reference 3.11)',
    run: async (context) => {
      const { kubectl, file } = context
      file('one.yaml', configMap('one', { a: 'first', b: 'second' }))
      await kubectl.ok('apply -f one.yaml')
      expect(Object.keys(await ownersOf(context, 'cm one'))).to.deep.equal([
        'kubectl-client-side-apply Update',
      ])
      file('one.yaml', configMap('one', { a: 'other' }))
      expect(await kubectl.ok(apply)).to.equal(applied)
      expect(await kubectl.ok(data)).to.equal('{"a":"other"}')
      expect(await ownersOf(context, 'cm one')).to.deep.equal({
        'kubectl Apply': { 'f:data': { 'f:a': {} } },
        'kubectl-last-applied Apply': {
          'f:metadata': {
            'f:annotations': { 'f:kubectl.kubernetes.io/last-applied-configuration': {} },
          },
        },
      })
      const annotation =
        'get cm one -o jsonpath={.metadata.annotations.kubectl\\.kubernetes\\.io/last-applied-configuration}'
      expect(JSON.parse(await kubectl.ok(annotation))).to.have.deep.property('data', { a: 'other' })
    },
  },
  {
    name: 'apply, then apply --server-side of a Secret with stringData (reference 3.11)',
    run: async (context) => {
      const { kubectl, file } = context
      file('one.yaml', coreSecret('one', { a: 'first' }))
      expect(await kubectl.ok('apply -f one.yaml')).to.equal('secret/one created\n')
      const annotations = { '.': {}, 'f:kubectl.kubernetes.io/last-applied-configuration': {} }
      expect(await ownersOf(context, 'secret one')).to.deep.equal({
        'kubectl-client-side-apply Update': {
          'f:data': { '.': {}, 'f:a': {} },
          'f:metadata': { 'f:annotations': annotations },
          'f:type': {},
        },
      })
      expect(await kubectl.ok(apply)).to.equal('secret/one serverside-applied\n')
      expect(await kubectl.ok('get secret one -o jsonpath={.data}')).to.equal('{"a":"Zmlyc3Q="}')
    },
  },
  {
    name: 'create owns the defaults of a Service too, and edit owns the fields it changes (reference 3.11)',
    run: async (context) => {
      const { kubectl, file } = context
      file('one.yaml', service('one', { port: 80 }))
      await kubectl.ok('create -f one.yaml')
      const rest = { 'f:internalTrafficPolicy': {}, 'f:sessionAffinity': {}, 'f:type': {} }
      const key = 'k:{"port":80,"protocol":"TCP"}'
      const port = { '.': {}, 'f:port': {}, 'f:protocol': {} }
      expect(await ownersOf(context, 'svc one')).to.deep.equal({
        'kubectl-create Update': {
          'f:spec': {
            ...rest,
            'f:ports': { '.': {}, [key]: { ...port, 'f:targetPort': {} } },
            'f:selector': {},
          },
        },
      })
      await kubectl.ok(`patch svc one -p '{"spec":{"ports":[{"port":80,"targetPort":8080}]}}'`)
      expect(await ownersOf(context, 'svc one')).to.deep.equal({
        'kubectl-create Update': {
          'f:spec': { ...rest, 'f:ports': { '.': {}, [key]: port }, 'f:selector': {} },
        },
        'kubectl-patch Update': { 'f:spec': { 'f:ports': { [key]: { 'f:targetPort': {} } } } },
      })
    },
  },
  {
    name: 'what create owns of a namespace is the label with its name (reference 3.11)',
    run: async (context) => {
      const name = `${context.namespace}-owned`
      await context.kubectl.ok(`create namespace ${name}`)
      const labels = { '.': {}, 'f:kubernetes.io/metadata.name': {} }
      expect(await ownersOf(context, `ns ${name}`)).to.deep.equal({
        'kubectl-create Update': { 'f:metadata': { 'f:labels': labels } },
      })
    },
  },
  {
    name: 'get -o yaml hides managedFields; --show-managed-fields shows them',
    run: async ({ kubectl, file }) => {
      file('one.yaml', configMap('one', { a: 'first' }))
      await kubectl.ok(apply)
      expect(await kubectl.ok('get cm one -o yaml')).to.not.contain('managedFields')
      const shown = await kubectl.ok('get cm one -o yaml --show-managed-fields')
      expect(shown).to.match(
        /^ {2}managedFields:\n {2}- apiVersion: v1\n {4}fieldsType: FieldsV1\n {4}fieldsV1:\n {6}f:data:\n {8}f:a: \{\}\n {4}manager: kubectl\n {4}operation: Apply\n {4}time: "\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"$/m,
      )
    },
  },
]
