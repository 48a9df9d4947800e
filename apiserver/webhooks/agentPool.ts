import type { Agent } from 'node:https'

/** Maximum number of agents; beyond that the least recently used is retired. */
const maxAgents = 64

/** Agents with kept-alive connections, by the settings of their connections. */
export class AgentPool {
  readonly #make: (key: string) => Agent
  /** The least recently used first. */
  readonly #agents = new Map<string, Agent>()

  /** `make` creates the agent of a key. */
  constructor(make: (key: string) => Agent) {
    this.#make = make
  }

  of(key: string): Agent {
    const agent = this.#agents.get(key) ?? this.#make(key)
    this.#agents.delete(key)
    this.#agents.set(key, agent)
    const [oldest] = this.#agents
    if (this.#agents.size > maxAgents && oldest !== undefined) {
      this.#agents.delete(oldest[0])
      retire(oldest[1])
    }
    return agent
  }

  /** Ends all connections of the agents in use. */
  close(): void {
    for (const agent of this.#agents.values()) agent.destroy()
    this.#agents.clear()
  }
}

/** Ends idle connections now and the others after their requests, which belong to other callers. */
function retire(agent: Agent): void {
  agent.maxFreeSockets = 0
  for (const idle of Object.values(agent.freeSockets)) {
    for (const socket of idle ?? []) socket.destroy()
  }
}
