import { expect } from 'chai'
import { secret, secretName, type KubectlScenario } from '../fixtures.ts'
import type { KubectlContext } from '../kubectlContext.ts'

async function edit({ kubectl, file }: KubectlContext, script: string) {
  file('one.yaml', secret('one'))
  await kubectl.ok('create -f one.yaml')
  const editor = file('editor.sh', `#!/bin/sh\n${script}\n`)
  return kubectl.run('edit sharedsecret one', { env: { KUBE_EDITOR: editor } })
}

const displayName = 'get sharedsecret one -o jsonpath={.spec.displayName}'

export const editScenarios: readonly KubectlScenario[] = [
  {
    name: 'edit stores what the editor wrote (spec endpoint.commandLine)',
    run: async (context) => {
      const output = await edit(context, `sed -i 's/First/Second/' "$1"`)
      const stdout = `${secretName('one')} edited\n`
      expect(output).to.deep.equal({ code: 0, stdout, stderr: '' })
      expect(await context.kubectl.ok(displayName)).to.equal('Second')
    },
  },
  {
    name: 'edit without a change stores nothing',
    run: async (context) => {
      const { code, stderr, stdout } = await edit(context, 'true')
      expect(code).to.equal(0)
      expect(stdout + stderr).to.equal('Edit cancelled, no changes made.\n')
    },
  },
  {
    name: 'edit that makes the object invalid opens the editor again with the reason',
    run: async (context) => {
      // The second time, the editor keeps the content of the first, so that kubectl gives up.
      const { code, stderr } = await edit(
        context,
        `cp "$1" "$(dirname "$0")/seen-$(ls "$(dirname "$0")" | grep -c seen)"\nsed -i 's/password:/"pass word":/' "$1"`,
      )
      expect(code).to.equal(1)
      expect(stderr).to.contain('error: sharedsecrets.management.platform "one" is invalid\n')
      expect(await context.kubectl.ok(displayName)).to.equal('First')
    },
  },
]
