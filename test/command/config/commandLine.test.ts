import { expect } from 'chai'
import { parseCommandLine } from '../../../apiserver/command/config/commandLine.ts'

interface Case {
  name: string
  args: string[]
  command?: string
  flags?: Record<string, string>
  problems?: string[]
}

const cases: Case[] = [
  { name: 'nothing', args: [] },
  { name: '--help anywhere', args: ['serve', '--nonsense', '--help'] },
  { name: '-h', args: ['-h'] },
  { name: 'the word help', args: ['help'] },
  { name: '--version', args: ['--version'], command: 'version' },
  { name: 'serve', args: ['serve'], command: 'serve' },
  {
    name: 'values after a space and after =, before and after the command',
    args: ['--data-dir', 'd', 'serve', '--secure-port=0'],
    command: 'serve',
    flags: { dataDir: 'd', securePort: '0' },
  },
  {
    name: 'a flag given twice: the last counts',
    args: ['serve', '--log-level', 'info', '--log-level', 'debug'],
    command: 'serve',
    flags: { logLevel: 'debug' },
  },
  {
    name: 'a value that starts with a dash, after =',
    args: ['serve', '--data-dir=-d'],
    command: 'serve',
    flags: { dataDir: '-d' },
  },
  {
    name: 'a negative number after a space: for the setting to refuse',
    args: ['serve', '--secure-port', '-1', '--admin-access-key', '-5s'],
    command: 'serve',
    flags: { securePort: '-1', adminAccessKey: '-5s' },
  },
  {
    name: 'every problem at once',
    args: ['serve', '--dat-dir', '--bind-address=', '--storage', '--names-domain', 'words', '-x'],
    command: 'serve',
    problems: [
      'unknown flag --dat-dir',
      '--bind-address needs a value: --bind-address=ADDR',
      '--storage needs a value: --storage=level|memory|etcd',
      'unknown flag -x',
      'unexpected argument "words"',
    ],
  },
  { name: 'a value for a switch', args: ['--help=yes'] },
  {
    name: 'an unknown command',
    args: ['server'],
    problems: [
      'unknown command "server"; the commands are serve, sync, backup, restore, verify, kubeconfig, doctor, storage, envtest, completion and man',
    ],
  },
  {
    name: 'flags without a command',
    args: ['--data-dir', 'd'],
    flags: { dataDir: 'd' },
    problems: ['a command must come first: platform-apiserver serve'],
  },
]

describe('parseCommandLine', () => {
  for (const { name, args, command = 'help', flags = {}, problems = [] } of cases) {
    it(`${name}: ${command}${problems.length > 0 ? ' with problems' : ''}`, () => {
      const line = parseCommandLine(args)
      expect(line.command).to.equal(command)
      expect(line.problems).to.deep.equal(problems)
      expect(
        Object.fromEntries([...line.flags].map(([path, { text }]) => [path, text])),
      ).to.deep.equal(flags)
    })
  }
})
