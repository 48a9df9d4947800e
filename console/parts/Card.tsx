import type { ReactNode } from 'react'

interface CardProps {
  title: string
  /** Content beside the title, such as a button. */
  more?: ReactNode
  children: ReactNode
}

/** Section of a page with a title. */
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
