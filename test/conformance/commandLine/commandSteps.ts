import type { CommandLineContext, Step } from './commandLineContext.ts'

export interface Chapter {
  name: string
  steps: (context: CommandLineContext) => Step[]
}

const created = (line: string, name: string): Step => ({ line, out: `${name} created\n` })
const deleted = (line: string, name: string): Step => ({ line, out: `${name} deleted\n` })

/** Every command of the program with its output, ordered so that each finds its objects. */
export const chapters: readonly Chapter[] = [
  {
    name: 'shows the session and its contexts',
    steps: ({ url, profile: { program, group } }) => [
      { line: 'whoami', out: 'admin\n' },
      { line: 'whoami -o name', out: `user.${group}/admin\n` },
      { line: 'status -o name', out: 'context/test\n' },
      {
        line: 'status',
        out: new RegExp(`^Context: +test\\nServer: +${url}\\nVersion: +v?\\d[^]*User: +admin\\n`),
      },
      { line: 'contexts list', out: new RegExp(`^CURRENT [^]*\\n\\* +test +${url} +admin\\n$`) },
      { line: 'contexts use test', err: 'Commands now go to "test".\n' },
      {
        line: 'contexts use tset',
        code: 5,
        err: `${program}: there is no context "tset"\nContexts: test. "${program} login URL" adds one.\n`,
      },
    ],
  },
  {
    name: 'creates, lists, shows and waits for objects of every kind',
    steps: ({ profile: { group } }) => [
      created('create cluster one', 'cluster/one'),
      { line: 'list clusters -o name', out: `cluster.${group}/one\n` },
      { line: 'get cluster one -o jsonpath={.metadata.name}', out: 'one' },
      { line: 'wait cluster one', out: 'cluster/one condition met\n' },
      created('create project shop --cluster one --template * --display-name Shop', 'project/shop'),
      { line: 'list projects', out: /^NAME +DISPLAY NAME +AGE\nshop +Shop +\d+s\n$/ },
      { line: 'get project shop -o go-template={{.spec.displayName}}', out: 'Shop' },
      { line: 'wait project shop', out: 'project/shop condition met\n' },
      {
        ...created('create virtualcluster web -p shop --template small', 'virtualcluster/web'),
        err: /virtual cluster web: Ready\n$/,
      },
      {
        line: 'list virtualclusters -A',
        out: /^NAMESPACE +NAME [^]*\np-shop +web +<none> +Ready +\d+s\n$/,
      },
      {
        line: 'get virtualcluster web -p shop -o name',
        out: `virtualclusterinstance.${group}/web\n`,
      },
      { line: 'wait virtualcluster web -p shop', out: 'virtualcluster/web condition met\n' },
      created('create space dev -p shop --cluster one --host-namespace dev-ns', 'space/dev'),
      { line: 'list spaces -p shop', out: /\ndev +one +Ready +\d+s\n$/ },
      { line: 'get space dev -p shop', out: /^NAME [^]*\ndev / },
      { line: 'wait space dev -p shop', out: 'space/dev condition met\n' },
      created('create user jane --email jane@example.com', 'user/jane'),
      { line: 'list users', out: /\njane +jane +jane@example.com +\d+s\n$/ },
      { line: 'get user jane -o jsonpath={.spec.email}', out: 'jane@example.com' },
      { line: 'wait user jane', out: 'user/jane condition met\n' },
      created('create team dev --user jane', 'team/dev'),
      { line: 'list teams -o name', out: `team.${group}/dev\n` },
      { line: 'get team dev -o jsonpath={.spec.users[0]}', out: 'jane' },
      { line: 'wait team dev --for spec.users.0=jane', out: 'team/dev condition met\n' },
    ],
  },
  {
    name: 'sets, shows, lists, shares and syncs secrets',
    // The server creates its own namespace with the first secret in it.
    steps: ({ profile: { program } }) => secretSteps(`(${program}|default)`),
  },
  {
    name: 'creates, explains, lists, rotates and deletes access keys and tokens',
    steps: () => [
      {
        line: 'create accesskey ci --ttl 90d --scope cli --explain',
        out: /^The access key ci would act as admin[^]*read-only commands[^]*Nothing was created\.\n$/,
      },
      { line: 'create accesskey ci --ttl 90d --scope project=shop', out: /^\S{30,}\n$/ },
      { line: 'create accesskey bot --for serviceaccount/default/bot', out: /^\S{30,}\n$/ },
      { line: 'create accesskey devs --for team/dev', out: /^\S{30,}\n$/ },
      { line: 'list accesskeys', out: /^ci +User +ci +\d{4}\S+Z +never +project=shop$/m },
      { line: 'rotate accesskey ci', out: /^\S{30,}\n$/, err: /Rotated the access key ci\./ },
      deleted('delete accesskey ci', 'accesskey/ci'),
      { line: 'delete accesskey ci', code: 5 },
      { line: 'create token --ttl 1h', out: /^[\w-]+\.[\w-]+\.[\w-]+\n$/ },
    ],
  },
  {
    name: 'writes kubeconfigs and gives credentials',
    steps: ({ url, adminKey, profile: { program, proxySegment } }) => {
      const at = (path: string) => new RegExp(`server: ${url}/${proxySegment}/${path}\\n[^]*exec:`)
      return [
        { line: 'use management --print', out: at('management') },
        { line: 'use project shop --print', out: at('management') },
        {
          line: 'use virtualcluster web -p shop --print',
          out: at('project/shop/virtualcluster/web'),
        },
        { line: 'use space dev -p shop --print', out: at('project/shop/space/dev') },
        { line: 'use cluster one --print', out: at('cluster/one') },
        {
          line: 'use management',
          err: new RegExp(`^kubectl now uses the context ${program}_test_management of `),
        },
        { line: 'disconnect', err: /the context is unset again\.\n$/ },
        { line: 'token', out: new RegExp(`"kind": "ExecCredential"[^]*"token": "${adminKey}"`) },
        { line: 'kubeconfig web -p shop --ttl 1h', out: /^apiVersion: v1\n[^]*token: \S+/ },
      ]
    },
  },
  {
    name: 'reads and changes the configuration',
    steps: (context) => {
      const file = context.file('config.yaml', 'auth:\n  loginAccessKeyTTLSeconds: 3600\n')
      const editor = context.file('editor.sh', 'echo "# edited" >> "$1"\n')
      return [
        { line: `config diff -f ${file}`, code: 1, out: /^\+ {2}loginAccessKeyTTLSeconds: 3600$/m },
        { line: `config apply -f ${file}`, err: 'The configuration is in effect.\n' },
        { line: 'config get auth.loginAccessKeyTTLSeconds', out: '3600\n' },
        {
          line: 'config edit',
          env: { EDITOR: `sh ${editor}` },
          err: 'The configuration is in effect.\n',
        },
        { line: 'config get', out: /^auth:[^]*# edited\n$/ },
        { line: 'config schema', out: /"loginAccessKeyTTLSeconds"/ },
      ]
    },
  },
  {
    name: 'explains syncs, and reads the audit log',
    steps: (context) => {
      const object = 'kind: Service\napiVersion: v1\nmetadata: {name: a, namespace: b}\n'
      const event = {
        auditID: '1',
        stage: 'ResponseComplete',
        verb: 'get',
        user: { username: 'me' },
      }
      const log = context.file('audit.log', `${JSON.stringify(event)}\n`)
      return [
        {
          line: `sync explain -f ${context.file('object.yaml', object)} --name web`,
          out: /name: a-x-b-x-web/,
        },
        { line: `audit tail --file ${log}`, out: /^TIME +USER +VERB +OBJECT +CODE\n +me +get/ },
        { line: 'audit query', code: 1, err: /: no audit database is known\n/ },
      ]
    },
  },
  {
    name: 'tells of itself',
    steps: ({ profile: { program } }) => [
      { line: '--version', out: new RegExp(`^${program} \\d+\\.\\d+\\.\\d+\\n$`) },
      { line: 'login --help', out: new RegExp(`^Usage: ${program} login `) },
      {
        line: 'completion bash',
        out: new RegExp(`complete -F _${program}_complete ${program}\\n$`),
      },
      { line: 'man create accesskey', out: new RegExp(`^\\.TH "${program.toUpperCase()}`) },
      { line: '__complete -- get project s', out: 'shop\n:4\n' },
      {
        line: 'list projcets',
        code: 2,
        err: `${program}: unknown command 'projcets'\n(Did you mean projects?)\n`,
      },
    ],
  },
  {
    name: 'deletes objects of every kind, and logs out',
    steps: () => [
      deleted('delete team dev', 'team/dev'),
      deleted('delete user jane', 'user/jane'),
      deleted('delete space dev -p shop', 'space/dev'),
      deleted('delete virtualcluster web -p shop', 'virtualcluster/web'),
      deleted('delete project shop', 'project/shop'),
      deleted('delete cluster one', 'cluster/one'),
      { line: 'logout', err: /^Logged out of / },
      { line: 'whoami', code: 3 },
    ],
  },
]

/** @param place pattern of the namespace of shared secrets. */
function secretSteps(place: string): Step[] {
  return [
    {
      line: 'set secret db.password -',
      input: 's3cret',
      err: new RegExp(`^Created ${place}/db: set password\\.\\n$`),
    },
    { line: 'get secret db.password', out: 's3cret' },
    { line: 'get secret db -o json', out: '{\n    "password": "s3cret"\n}\n' },
    { line: 'get secret db -o yaml', out: 'password: s3cret\n' },
    { line: 'get secret db -o env', out: "export password='s3cret'\n" },
    { line: 'get secret db -o dotenv', out: 'password="s3cret"\n' },
    { line: 'list secrets', out: new RegExp(`\\n${place} +db +<none> +password\\n$`) },
    {
      line: 'share secret db --user jane --team dev --verb get',
      err: new RegExp(`^Shared ${place}/db with user jane, team dev: get\\.\\n$`),
    },
    { line: 'sync secret db -p shop', err: new RegExp(`^p-shop/db follows ${place}/db\\.\\n$`) },
    { line: 'get secret db.password -p shop', out: 's3cret' },
  ]
}
