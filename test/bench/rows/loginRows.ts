import { setTimeout as pause } from 'node:timers/promises'
import { encodeYaml } from '../../../apiserver/encoding/yaml.ts'
import { ForgedProvider } from '../../platform/logins/support/forgedProvider.ts'
import type { ApiServer } from '../apiServer.ts'
import type { Bench } from '../bench.ts'
import { cpuSeconds } from '../childProcess.ts'
import { median, type Row } from '../row.ts'

const logins = 1_000
const warmUp = 50
/** Duration of password logins at a thousand per minute. */
const guessSeconds = 15
const guessesPerSecond = 1_000 / 60
/** Guesses allowed from one address: a burst of a hundred, then a hundred a minute. */
const allowedGuesses = 100 + (guessSeconds * 100) / 60

/** Logins through a provider, and many wrong passwords. */
export async function loginRows(bench: Bench): Promise<Row[]> {
  return [await providerRow(bench), await guessRow(bench)]
}

/**
 * Sequential logins, each of a new user, who is created by the login. Our own time is that from the
 * request that starts a login to its response, plus that from the return from the provider to the
 * page with the key. The time in which the provider creates the ID token is excluded. The provider
 * is a small one of the tests, in the process of the benchmark: its other work, and the transport
 * over loopback, count as ours.
 */
async function providerRow(bench: Bench): Promise<Row> {
  const provider = new ForgedProvider()
  await provider.start()
  const server = await bench.startServer()
  await configure(server, provider)
  let signing = 0
  provider.forge = async (claims, { sign }) => {
    const began = performance.now()
    const token = await sign(claims)
    signing = performance.now() - began
    return token
  }
  const logIn = async (n: number): Promise<number> => {
    provider.claims = { sub: `user-${n}`, preferred_username: `user-${n}`, groups: ['one', 'two'] }
    return (await timeOfLogin(server)) - signing
  }
  for (let n = 0; n < warmUp; n++) await logIn(-n)
  const cpu = cpuSeconds(server.pid)
  const times: number[] = []
  for (let n = 1; n <= logins; n++) times.push(await logIn(n))
  const cpuMs = ((cpuSeconds(server.pid) - cpu) * 1000) / logins
  await Promise.all([server.stop(), provider.close()])
  return {
    id: 'login-provider',
    what: `login through an OpenID provider, ${logins} first ones: our own time`,
    ours: median(times),
    unit: 'ms',
    aim: { most: 30 },
    detail: `p99 ${percentile(times, 0.99).toFixed(1)} ms; CPU ${cpuMs.toFixed(1)} ms`,
  }
}

/**
 * Latency of GET while passwords are guessed at a thousand per minute from one address, each for
 * another account. It would show hashing that blocks the event loop.
 */
async function guessRow(bench: Bench): Promise<Row> {
  const server = await bench.startServer()
  const before = await getTimes(server, pause(2_000))
  const codes: Promise<number>[] = []
  const guessing = async () => {
    for (let n = 0; n < guessSeconds * guessesPerSecond; n++) {
      codes.push(guess(server, `user-${n}`))
      await pause(1000 / guessesPerSecond)
    }
    await Promise.all(codes)
  }
  const times = await getTimes(server, guessing())
  const given = await Promise.all(codes)
  await server.stop()
  const count = (code: number) => given.filter((each) => each === code).length
  const [tried, held] = [count(401), count(429)]
  const isRight = tried + held === given.length && tried <= allowedGuesses + 2 && tried >= 50
  return {
    id: 'login-guesses',
    what: 'GET while 1,000 passwords a minute are guessed: p99',
    ours: percentile(times, 0.99),
    unit: 'ms',
    aim: { most: 50 },
    detail: `${tried} tried (401), ${held} held back (429); p99 without them ${percentile(before, 0.99).toFixed(1)} ms`,
    ...(isRight ? {} : { fault: `of ${given.length} at most ${allowedGuesses} may be tried` }),
  }
}

async function configure({ port, token }: ApiServer, provider: ForgedProvider): Promise<void> {
  const { url: issuerUrl, clientSecret } = provider
  const redirectURI = `http://127.0.0.1:${port}/auth/oidc/callback`
  const oidc = { issuerUrl, clientId: 'platform', clientSecret, redirectURI }
  const raw = Buffer.from(encodeYaml({ auth: { oidc } })).toString('base64')
  const answer = await fetch(`http://127.0.0.1:${port}/apis/management.platform/v1/configs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ metadata: { name: 'config' }, spec: { raw } }),
  })
  if (answer.status !== 201) throw new Error(`the configuration: ${await answer.text()}`)
}

/** Milliseconds from the link on the login page to the page with the key, without the browser's steps at the provider. */
async function timeOfLogin({ port }: ApiServer): Promise<number> {
  const manual = { redirect: 'manual', headers: { accept: 'text/html' } } as const
  const began = performance.now()
  const start = await fetch(`http://127.0.0.1:${port}/auth/oidc/login`, manual)
  await start.text()
  const started = performance.now() - began
  const [cookie = ''] = (start.headers.get('set-cookie') ?? '').split(';')
  const there = await fetch(start.headers.get('location') ?? '', { redirect: 'manual' })
  const back = there.headers.get('location') ?? ''
  const returned = performance.now()
  const done = await fetch(back, { headers: { ...manual.headers, cookie } })
  const text = await done.text()
  if (done.status !== 200) throw new Error(`a login: ${done.status} ${text}`)
  return started + performance.now() - returned
}

async function guess({ port }: ApiServer, username: string): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}/auth/password/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: 'a guess' }),
  })
  await answer.text()
  return answer.status
}

/** Milliseconds of sequential GETs until `end`. */
async function getTimes({ port, token }: ApiServer, end: Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  let isOver = false
  void end.finally(() => (isOver = true))
  while (!isOver) {
    const began = performance.now()
    const headers = { authorization: `Bearer ${token}` }
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/namespaces/default`, { headers })
    await answer.text()
    times.push(performance.now() - began)
    await pause(5)
  }
  await end
  return times
}

function percentile(times: readonly number[], part: number): number {
  const sorted = [...times].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}
