import { expect } from 'chai'
import { secret, secretName, type KubectlScenario } from '../fixtures.ts'
import type { KubectlContext } from '../kubectlContext.ts'

async function withOne({ kubectl, file }: KubectlContext): Promise<void> {
  file('one.yaml', secret('one'))
  await kubectl.ok('create -f one.yaml')
}

const one = secretName('one')

/** Output of kubectl 1.27, which left the word unfinished. */
const annotated = ({ minor }: { minor: number }) => (minor === 27 ? 'annotate' : 'annotated')

export const labelScenarios: readonly KubectlScenario[] = [
  {
    name: 'label adds, refuses to overwrite, overwrites and removes',
    run: async (context) => {
      await withOne(context)
      const { kubectl } = context
      expect(await kubectl.ok('label sharedsecret one a=b')).to.equal(`${one} labeled\n`)
      expect(await kubectl.ok('label sharedsecret one a=b')).to.equal(`${one} not labeled\n`)
      expect(await kubectl.fails('label sharedsecret one a=c')).to.equal(
        "error: 'a' already has a value (b), and --overwrite is false\n",
      )
      expect(await kubectl.ok('label sharedsecret one a=c --overwrite')).to.equal(
        `${one} labeled\n`,
      )
      const labels = 'get sharedsecret one -o jsonpath={.metadata.labels}'
      expect(await kubectl.ok(labels)).to.equal('{"a":"c"}')
      expect(await kubectl.ok('label sharedsecret one a-')).to.equal(`${one} unlabeled\n`)
      expect(await kubectl.ok(labels)).to.equal('')
    },
  },
  {
    name: 'label --all and -l label many',
    run: async (context) => {
      await withOne(context)
      const { kubectl, file } = context
      file('two.yaml', secret('two'))
      await kubectl.ok('create -f two.yaml')
      const two = secretName('two')
      expect(await kubectl.ok('label sharedsecrets --all x=y')).to.equal(
        `${one} labeled\n${two} labeled\n`,
      )
      expect(await kubectl.ok('label sharedsecrets -l x=y z=w')).to.equal(
        `${one} labeled\n${two} labeled\n`,
      )
    },
  },
  {
    name: 'annotate adds, overwrites and removes, and raises no generation but its own',
    run: async (context) => {
      await withOne(context)
      const { kubectl } = context
      const annotations = 'get sharedsecret one -o jsonpath={.metadata.annotations}'
      expect(await kubectl.ok('annotate sharedsecret one a=b')).to.equal(
        `${one} ${annotated(kubectl)}\n`,
      )
      expect(await kubectl.fails('annotate sharedsecret one a=c')).to.match(
        /^error: --overwrite is false but found the following declared annotation\(s\): 'a' already has a value \(b\)\n$/,
      )
      expect(await kubectl.ok('annotate sharedsecret one a=c --overwrite')).to.equal(
        `${one} ${annotated(kubectl)}\n`,
      )
      expect(await kubectl.ok(annotations)).to.equal('{"a":"c"}')
      expect(await kubectl.ok('annotate sharedsecret one a-')).to.equal(
        `${one} ${annotated(kubectl)}\n`,
      )
      expect(await kubectl.ok(annotations)).to.equal('')
    },
  },
]
