import { expect } from 'chai'
import { columns } from '../../support/columns.ts'
import type { RunningCommand } from '../../support/command.ts'
import { secretsPath, type ApiObject } from '../../support/objects.ts'
import { secret, type KubectlScenario } from '../fixtures.ts'
import type { KubectlContext } from '../kubectlContext.ts'

const head = 'NAME | DISPLAY NAME | DATA | AGE'
const row = (name: string, displayName: string) => `${name} | ${displayName} | 1 | <age>`

/** Adds b, changes it and deletes it, each after the previous event was printed. */
async function changesOfB({ api, namespace }: KubectlContext, watch: RunningCommand) {
  const path = secretsPath(namespace)
  const printed = linesIn(watch)
  const sees = (more: number) => watch.until((written) => linesIn(written) >= printed + more)
  // If nothing was printed yet, the first row has a header.
  const header = printed === 0 ? 1 : 0
  await api.create(path, secret('b'))
  await sees(header + 1)
  await api.mergePatch(`${path}/b`, { spec: { displayName: 'Second' } })
  await sees(header + 2)
  await api.delete(`${path}/b`)
  await sees(header + 3)
  watch.stop()
}

/** Number of complete lines. */
const linesIn = ({ stdout }: RunningCommand) => stdout.split('\n').length - 1

const watching = ({ stderr }: RunningCommand) => /watch=true.*200 OK/.test(stderr)

export const watchScenarios: readonly KubectlScenario[] = [
  {
    name: 'get -w lists, then shows what is added, changed and deleted',
    run: async (context) => {
      await context.api.create(secretsPath(context.namespace), secret('a'))
      const watch = context.kubectl.start('get sharedsecrets -w -v=6')
      await watch.until((written) => watching(written) && linesIn(written) === 2)
      await changesOfB(context, watch)
      expect(columns(watch.stdout)).to.deep.equal([
        head,
        row('a', 'First'),
        row('b', 'First'),
        row('b', 'Second'),
        row('b', 'Second'),
      ])
    },
  },
  {
    name: 'get --watch-only shows changes alone, and --output-watch-events their types',
    run: async (context) => {
      await context.api.create(secretsPath(context.namespace), secret('a'))
      const watch = context.kubectl.start(
        'get sharedsecrets --watch-only --output-watch-events -v=6',
      )
      await watch.until(watching)
      await changesOfB(context, watch)
      expect(columns(watch.stdout)).to.deep.equal([
        `EVENT | ${head}`,
        `ADDED | ${row('b', 'First')}`,
        `MODIFIED | ${row('b', 'Second')}`,
        `DELETED | ${row('b', 'Second')}`,
      ])
    },
  },
  {
    name: 'get -w of one object follows it alone',
    run: async ({ kubectl, api, namespace }) => {
      const path = secretsPath(namespace)
      await api.create(path, secret('a'))
      const watch = kubectl.start('get sharedsecret a -w -v=6')
      await watch.until(watching)
      await api.create(path, secret('b'))
      await api.mergePatch(`${path}/a`, { spec: { displayName: 'Second' } })
      await watch.until((written) => linesIn(written) >= 3)
      watch.stop()
      expect(columns(watch.stdout)).to.deep.equal([head, row('a', 'First'), row('a', 'Second')])
    },
  },
  {
    name: 'get -w -l sees an object leave the selection',
    run: async ({ kubectl, api, namespace }) => {
      const path = secretsPath(namespace)
      const watch = kubectl.start(
        'get sharedsecrets -w -l on=yes -o json --output-watch-events -v=6',
      )
      await watch.until(watching)
      await api.create(path, { ...secret('a'), metadata: { name: 'a', labels: { on: 'yes' } } })
      await api.mergePatch(`${path}/a`, { metadata: { labels: { on: 'no' } } })
      await watch.until(({ stdout }) => /"type": ?"DELETED"/.test(stdout))
      watch.stop()
      const events = watch.stdout.replaceAll(/\}\s*\{/g, '},{')
      const seen = JSON.parse(`[${events}]`) as { type: string; object: ApiObject }[]
      expect(seen.map(({ type }) => type)).to.deep.equal(['ADDED', 'DELETED'])
      expect(seen[1]?.object.metadata.labels).to.deep.equal({ on: 'yes' })
    },
  },
]
