import type { Recorded } from './reviewServer.ts'

/** Call of a webhook without the administrator's identity, which differs between servers. */
export function shownCall({ path, line, headers, review }: Recorded): Omit<Recorded, 'path'> & {
  path: string
} {
  const request = { ...review.request, userInfo: shownUser(review.request['userInfo']) }
  return { path, line, headers, review: { ...review, request: { ...request, uid: 'uid' } } }
}

function shownUser(user: unknown): unknown {
  const { username } = user as { username?: string }
  return username === 'jane' ? user : 'administrator'
}
