import type { ReactNode } from 'react'

interface CardProps {
  title: string
  /** Beside the title, such as a button. */
  more?: ReactNode
  children: ReactNode
}

/** Part of a page with a title of its own. */
export function Card({ title, more, children }: CardProps) {
  return (
    <section className="card">
      <header>
        <h2>{title}</h2>
        {more}
      </header>
      <div className="inside">{children}</div>
    </section>
  )
}
