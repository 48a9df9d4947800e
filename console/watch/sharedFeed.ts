import type { Feed, FeedChange } from './feed.ts'
import type { Tabs } from './tabs.ts'

type Message =
  | FeedChange
  /** Request of a tab for the complete state: it is new, or missed a change. */
  | { type: 'ask' }
  | { type: 'retry' }
  /** Notice of another tab that it now leads. */
  | { type: 'led'; revision: string }

/**
 * Runs one feed for all tabs: the leading tab has the watch and sends each change to the others.
 * When the leader ends, the next one continues from the last revision that it has seen. Returns a
 * function that ends the feed for this tab.
 */
export function shareFeed<Item>(feed: Feed<Item>, name: string, tabs: Tabs): () => void {
  const stop = new AbortController()
  let isLeader = false
  const channel = tabs.open(name, (data) => {
    // Sound: only this module sends on the channel.
    const message = data as Message
    if (isLeader) answer(message)
    else follow(message)
  })
  const post = (message: Message) => channel.post(message)
  const answer = ({ type }: Message) => {
    if (type === 'ask' && feed.revision !== '') post(feed.whole())
    if (type === 'retry') feed.retryNow()
  }
  const follow = (message: Message) => {
    if (message.type === 'ask' || message.type === 'retry') return
    if (message.type === 'led') {
      if (message.revision !== feed.revision) post({ type: 'ask' })
    } else if (!feed.adopt(message)) post({ type: 'ask' })
  }
  feed.relay = (change) => {
    if (isLeader) post(change)
  }
  feed.askRetry = () => {
    if (!isLeader) post({ type: 'retry' })
  }
  post({ type: 'ask' })
  tabs.lead(name, stop.signal, () => {
    isLeader = true
    post({ type: 'led', revision: feed.revision })
    feed.start()
  })
  return () => {
    stop.abort()
    isLeader = false
    feed.stop()
    channel.close()
  }
}
