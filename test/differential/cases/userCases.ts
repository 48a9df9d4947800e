import { flunder, flundersPath, get, post, remove, type Call, type Case } from '../call.ts'

const one = `${flundersPath}/a`
const as = (call: Call, who: 'bob' | 'nobody') => ({ ...call, as: who })
const impersonating = (headers: Record<string, string>) => get(one, headers)

export const userCases: readonly Case[] = [
  {
    name: 'users: nobody and bob',
    steps: [
      post(flundersPath, flunder('a')),
      as(get(one), 'bob'),
      as(get(flundersPath), 'bob'),
      as(get(`${flundersPath}?watch=1`), 'bob'),
      as(post(flundersPath, flunder('b')), 'bob'),
      as(remove(one), 'bob'),
      as(remove(flundersPath), 'bob'),
      as(get('/metrics'), 'bob'),
      as(get(`${flundersPath}/a/status`), 'bob'),
      as(get(one), 'nobody'),
      as(post(flundersPath, flunder('b')), 'nobody'),
      get(one, { authorization: 'Bearer wrong' }),
      get(one, { authorization: 'Basic eDp5' }),
      get(one, { authorization: '' }),
    ],
  },
  {
    name: 'users: impersonation',
    steps: [
      post(flundersPath, flunder('a')),
      impersonating({ 'impersonate-user': 'carol' }),
      impersonating({ 'impersonate-user': 'carol', 'impersonate-group': 'system:masters' }),
      impersonating({ 'impersonate-group': 'system:masters' }),
      impersonating({ 'impersonate-uid': 'u' }),
      impersonating({ 'impersonate-extra-scopes': 'x' }),
      impersonating({ 'impersonate-user': 'system:serviceaccount:{ns}:robot' }),
      impersonating({ 'impersonate-user': 'system:anonymous' }),
      as(impersonating({ 'impersonate-user': 'carol' }), 'bob'),
      as(
        impersonating({ 'impersonate-user': 'carol', 'impersonate-group': 'system:masters' }),
        'bob',
      ),
    ],
  },
]
