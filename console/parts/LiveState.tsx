import type { FeedState } from '../watch/feed.ts'
import { Badge, errorText } from './notes.tsx'

/** State of live rows: up to date or not. */
export function LiveState({ state, onRetry }: { state: FeedState; onRetry: () => void }) {
  if (state.name === 'live') return <Badge tone="good">Live</Badge>
  if (state.name === 'listed') return <Badge>Not live</Badge>
  if (state.name !== 'stale') return null
  return (
    <span className="live" role="status" title={errorText(state.error)}>
      <Badge tone="warn">Not up to date</Badge>
      <button type="button" className="button" onClick={onRetry}>
        Try now
      </button>
    </span>
  )
}
