import { expect } from 'chai'
import { columns } from '../../support/columns.ts'
import { eventually } from '../../support/eventually.ts'
import type { ApiObject } from '../../support/objects.ts'
import type { KubectlScenario } from '../fixtures.ts'
import type { KubectlContext } from '../kubectlContext.ts'

/** Separate group for each scenario: definitions have no namespace. */
const groupOf = ({ namespace }: KubectlContext) => `${namespace}.test.example`

function definition(group: string): ApiObject {
  const spec = {
    type: 'object',
    required: ['text'],
    properties: {
      text: { type: 'string', description: 'What it says.', minLength: 2 },
      replicas: { type: 'integer', default: 1 },
    },
  }
  const status = { type: 'object', properties: { replicas: { type: 'integer' } } }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `widgets.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: {
        plural: 'widgets',
        singular: 'widget',
        kind: 'Widget',
        shortNames: ['wd'],
        categories: ['all'],
      },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: {
            status: {},
            scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
          },
          additionalPrinterColumns: [{ name: 'Text', type: 'string', jsonPath: '.spec.text' }],
          schema: {
            openAPIV3Schema: { type: 'object', properties: { spec, status } },
          },
        },
      ],
    },
  }
}

const widget = (group: string, spec: Record<string, unknown>): ApiObject => ({
  apiVersion: `${group}/v1`,
  kind: 'Widget',
  metadata: { name: 'one' },
  spec,
})

async function installed(context: KubectlContext): Promise<string> {
  const { kubectl, file } = context
  const group = groupOf(context)
  file('definition.yaml', definition(group))
  const crd = `customresourcedefinition.apiextensions.k8s.io/widgets.${group}`
  expect(await kubectl.ok('apply -f definition.yaml')).to.equal(`${crd} created\n`)
  await kubectl.ok(`wait ${crd} --for=condition=Established --timeout=10s`)
  return group
}

export const customResourceScenarios: readonly KubectlScenario[] = [
  {
    name: 'a custom resource definition from install to removal',
    run: async (context) => {
      const { kubectl, file } = context
      const group = await installed(context)
      const resource = `widgets.${group}`
      file('one.yaml', widget(group, { text: 'first' }))
      // An old release looks up an unknown kind in its cache.
      await eventually(async () => {
        expect(await kubectl.ok('apply -f one.yaml')).to.match(/ (created|unchanged)\n$/)
      })
      expect(await kubectl.ok('apply -f one.yaml')).to.equal(`widget.${group}/one unchanged\n`)
      expect(columns(await kubectl.ok(`get ${resource}`))).to.deep.equal([
        'NAME | TEXT',
        'one | first',
      ])
      expect(await kubectl.ok(`scale ${resource}/one --replicas=3`)).to.contain(' scaled\n')
      const replicas = `get ${resource} one -o jsonpath={.spec.replicas}`
      expect(await kubectl.ok(replicas)).to.equal('3')
      expect(await kubectl.ok(`explain ${resource}.spec.text`)).to.contain('What it says.')
      expect(await kubectl.ok(`describe ${resource} one`)).to.contain('Text:      first')
      await kubectl.ok(`delete crd ${resource}`)
      await eventually(async () => {
        expect(await kubectl.run(`get ${resource}`)).to.include({ code: 1 })
      })
    },
  },
  {
    name: 'a custom resource is checked by its schema, and unknown fields are refused',
    run: async (context) => {
      const { kubectl, file } = context
      const group = await installed(context)
      file('short.yaml', widget(group, { text: 'x' }))
      await eventually(async () => {
        expect(await kubectl.fails('create -f short.yaml')).to.match(
          /The Widget "one" is invalid: spec\.text: Invalid value: "x": spec\.text in body should be at least 2 chars long/,
        )
      })
      file('unknown.yaml', widget(group, { text: 'first', nonsense: 1 }))
      expect(await kubectl.fails('create -f unknown.yaml')).to.contain(
        'unknown field "spec.nonsense"',
      )
      await kubectl.ok(`delete crd widgets.${group}`)
    },
  },
]
