import { expect } from 'chai'
import { Client } from './support/client.ts'

describe('usage of the command-line client', function () {
  this.timeout(60_000)
  const client = new Client()
  after(() => client.remove())

  const refused: [args: string[], message: string, hint: string][] = [
    [['lst'], "unknown command 'lst'", '(Did you mean list?)'],
    [
      ['create'],
      '"platform create" needs a subcommand',
      'Run "platform create --help" for its commands.',
    ],
    [['create', 'projet', 'x'], "unknown command 'projet'", '(Did you mean project?)'],
    [
      ['get', 'secret'],
      "missing required argument 'NAME'",
      'Run "platform get secret --help" for its arguments and flags.',
    ],
    [
      ['login', 'https://a.example', '--insecure=yes'],
      "the flag '--insecure' takes no value",
      'Run "platform login --help" for its arguments and flags.',
    ],
    // The value may be secret, and is not repeated.
    [
      ['login', 'https://a.example', '--access-key=s3cret'],
      "the flag '--access-key' takes no value",
      'Run "platform login --help" for its arguments and flags.',
    ],
    [['whoami', '--contxt', 'a'], "unknown option '--contxt'", '(Did you mean --context?)'],
    [['--bogus'], "unknown option '--bogus'", 'Run "platform --help" for all commands and flags.'],
    [
      ['list', 'projects', '--context'],
      "option '--context <name>' argument missing",
      'Run "platform list projects --help" for its arguments and flags.',
    ],
  ]
  for (const [args, message, hint] of refused)
    it(`refuses "${args.join(' ').replace('s3cret', '…')}" with 2 and what to do next`, async () => {
      expect(await client.fails(args)).to.deep.equal([2, `platform: ${message}\n${hint}\n`])
    })

  it('shows help without a command', async () => {
    const help = await client.ok([])
    expect(help).to.match(/^Usage: platform \[options\] \[command\]\n/)
    expect(help).to.equal(await client.ok(['--help']))
  })

  const leading: string[][] = [
    ['--context', 'nope', 'whoami'],
    ['--context=nope', 'whoami'],
    ['-v6', '--context', 'nope', '--quiet', 'whoami'],
    ['-v=6', '-o', 'json', '--context', 'nope', 'whoami'],
    ['-p', 'shop', '--context', 'nope', 'list', 'spaces'],
  ]
  for (const args of leading)
    it(`takes flags before the command: ${args.join(' ')}`, async () => {
      expect(await client.fails(args)).to.deep.equal([
        5,
        'platform: there is no context "nope"\nLog in first: platform login URL\n',
      ])
    })

  it('leaves what follows -- where it is', async () => {
    expect(await client.fails(['--quiet', 'get', 'project', '--', '--context'])).to.deep.equal([
      3,
      'platform: not logged in\nLog in with "platform login URL".\n',
    ])
  })
})
