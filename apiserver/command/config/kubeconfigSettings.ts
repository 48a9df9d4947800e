import { durationExamples, secondsIn } from '../../meta/durationWords.ts'
import { readScope, type ScopeSpec } from '../../meta/names/scopeWords.ts'
import type { ServerOptions } from '../../runtime/options/serverOptions.ts'
import { readFlags } from './commandLine.ts'
import { loadConfig, type Environment } from './config.ts'
import { setting, type Setting } from './setting.ts'
import { configFileSetting, settings } from './settings.ts'
import { UsageError } from './usageError.ts'
import { filePath, httpAddress, type ValueKind } from './valueKinds.ts'

/** Options of `platform-apiserver kubeconfig`. */
export interface KubeconfigOptions {
  /** User of the new key. */
  user: string
  scope: ScopeSpec | undefined
  /** Lifetime of the key in seconds; undefined: no expiry. */
  ttl: number | undefined
  /** Kubeconfig of a running server; undefined: the server that `server` describes. */
  kubeconfig: string | undefined
  /** Base URL for the new kubeconfig; undefined: the address used for the request. */
  url: string | undefined
  /** File to create; undefined: standard output. */
  out: string | undefined
  /** Settings of the server. */
  server: ServerOptions
}

interface Draft {
  user?: string
  scope?: string[]
  ttl?: number
  kubeconfig?: string
  url?: string
  out?: string
}

const userName: ValueKind<string> = {
  placeholder: 'NAME',
  mustBe: 'the name of a user',
  parse: (text) => (/^[^/\s]+$/.test(text) ? text : undefined),
}

const lifetime: ValueKind<number> = {
  placeholder: 'DURATION',
  mustBe: durationExamples,
  parse: (text) => {
    const seconds = secondsIn(text)
    return seconds === 0 ? undefined : seconds
  },
}

const scopeWords: ValueKind<string[]> = {
  placeholder: 'WORD[,WORD]',
  mustBe: 'words with commas between them',
  parse: (text) => text.split(',').filter((word) => word !== ''),
}

const table: readonly Setting<Draft>[] = [
  setting('user', {
    kind: userName,
    description: 'Name of the user whose key is created. Required.',
    assign: (draft: Draft, value) => void (draft.user = value),
  }),
  setting('scope', {
    kind: scopeWords,
    description:
      'Restricts the key to cli (reading), role=NAME, project=P, space=P/S, virtualcluster=P/V or cluster=C; * stands ' +
      'for all. Unset: the key may do what its user may.',
    assign: (draft: Draft, value) => void (draft.scope = value),
  }),
  setting('ttl', {
    kind: lifetime,
    description: 'Lifetime of the key, such as 12h or 30d. Unset: it does not expire.',
    assign: (draft: Draft, value) => void (draft.ttl = value),
  }),
  setting('kubeconfig', {
    kind: filePath,
    description:
      'Kubeconfig of a running server, for a user with the right to create access keys of others. ' +
      'Unset: the server of the data folder, running or stopped.',
    assign: (draft: Draft, value) => void (draft.kubeconfig = value),
  }),
  setting('server', {
    kind: httpAddress,
    description:
      'Base URL of the server for the new kubeconfig. Unset: the address used for this request.',
    assign: (draft: Draft, value) => void (draft.url = value.replace(/\/+$/, '')),
  }),
  setting('out', {
    kind: filePath,
    description:
      'File to create, readable only by its owner. An existing file is not replaced. Unset: standard output.',
    assign: (draft: Draft, value) => void (draft.out = value),
  }),
]

/**
 * Settings of `kubeconfig` in addition to those of `serve`, in the order of the help; flags only.
 */
export const kubeconfigSettings: readonly Setting<Draft>[] = table.map((row) => ({
  ...row,
  inFile: false,
}))

/** Options from the arguments, including those of the server as for `serve`. @throws UsageError. */
export async function readKubeconfigOptions(
  args: readonly string[],
  env: Environment,
): Promise<KubeconfigOptions> {
  const all = [configFileSetting, ...settings, ...kubeconfigSettings]
  const { words, flags, problems } = readFlags(args, all)
  const found = [...problems, ...words.map((word) => `unexpected argument ${JSON.stringify(word)}`)]
  const draft: Draft = {}
  for (const { path, read, mustBe } of kubeconfigSettings) {
    const given = flags.get(path)
    if (given === undefined) continue
    const put = read(given.text)
    if (put === undefined) found.push(`${given.origin} must be ${mustBe}`)
    else put(draft)
  }
  if (!flags.has('user')) found.push('--user is required')
  const server = await loadConfig({ command: 'serve', flags, problems: found }, env)
  const read = readScope(draft.scope ?? [], server.names)
  if ('problem' in read) throw new UsageError([`${read.problem.message}. ${read.problem.hint}`])
  const { user = '', ttl, kubeconfig, url, out } = draft
  return { user, scope: read.scope, ttl, kubeconfig, url, out, server }
}
