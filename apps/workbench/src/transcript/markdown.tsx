import { useMemo, type ReactNode } from 'react';
import { VisibleText } from '../text/hostile-text.tsx';
import { visibleText } from '../text/visible-text.ts';
import { cx } from '../ui/cx.ts';
import { markdownTree, type MarkdownLink, type MarkdownNode } from './markdown-tree.ts';

/**
 * Markdown of a message, as elements of a few kinds that are made here: no HTML is set anywhere, no image is loaded, and
 * hidden characters stay visible.
 */
export default function Markdown({ text }: { readonly text: string }): ReactNode {
  const tree = useMemo(() => markdownTree(text), [text]);
  if (tree === undefined) {
    return (
      <>
        <VisibleText text={text} />
        <p className="mt-2 text-xs text-muted">It is too long to be shown as Markdown.</p>
      </>
    );
  }
  return (
    <div className="flex flex-col gap-2 [overflow-wrap:anywhere] whitespace-normal">
      <Parts nodes={tree} />
    </div>
  );
}

function Parts({ nodes }: { readonly nodes: readonly MarkdownNode[] }): ReactNode {
  return nodes.map((node, at) => <Part key={at} node={node} />);
}

function Part({ node }: { readonly node: MarkdownNode }): ReactNode {
  switch (node.kind) {
    case 'text':
      return <VisibleText text={node.text} />;
    case 'markup':
      return (
        <code className="font-mono text-xs text-muted">
          <VisibleText text={node.text} />
        </code>
      );
    case 'code-span':
      return (
        <code className="rounded bg-sunken px-1 py-px font-mono text-[0.92em]">
          <VisibleText text={node.text} />
        </code>
      );
    case 'code':
      return <CodeBlock text={node.text} language={node.language} />;
    case 'break':
      return <br />;
    case 'rule':
      return <hr className="border-line-strong" />;
    case 'strong':
      return (
        <strong className="font-semibold">
          <Parts nodes={node.children} />
        </strong>
      );
    case 'em':
      return (
        <em>
          <Parts nodes={node.children} />
        </em>
      );
    case 'del':
      return (
        <del>
          <Parts nodes={node.children} />
        </del>
      );
    case 'link':
      return <Elsewhere link={node} />;
    default:
      return <Block node={node} />;
  }
}

type BlockNode = Extract<MarkdownNode, { kind: 'paragraph' | 'quote' | 'heading' | 'list' | 'table' }>;

function Block({ node }: { readonly node: BlockNode }): ReactNode {
  switch (node.kind) {
    case 'paragraph':
      return (
        <p>
          <Parts nodes={node.children} />
        </p>
      );
    case 'quote':
      return (
        <blockquote className="flex flex-col gap-2 border-l-2 border-line-strong pl-3 text-muted">
          <Parts nodes={node.children} />
        </blockquote>
      );
    case 'heading':
      // Headings of strangers are none of the page.
      return (
        <p className={cx('font-semibold', node.level < 3 && 'text-lg')}>
          <Parts nodes={node.children} />
        </p>
      );
    case 'list':
      return <MarkdownItems {...node} />;
    case 'table':
      return <MarkdownTable rows={node.rows} />;
  }
}

function MarkdownItems({ isOrdered, start, items }: Extract<MarkdownNode, { kind: 'list' }>): ReactNode {
  const shown = items.map(({ check, children }, at) => (
    <li key={at}>
      {check === undefined ? null : `${check} `}
      <Parts nodes={children} />
    </li>
  ));
  return isOrdered ? (
    <ol start={start} className="flex list-decimal flex-col gap-1 pl-6">
      {shown}
    </ol>
  ) : (
    <ul className="flex list-disc flex-col gap-1 pl-6">{shown}</ul>
  );
}

function MarkdownTable({ rows }: Pick<Extract<MarkdownNode, { kind: 'table' }>, 'rows'>): ReactNode {
  const [head = [], ...body] = rows;
  return (
    <div role="region" aria-label="Table" tabIndex={0} className="overflow-x-auto">
      <table className="border-collapse text-sm [&_:is(td,th)]:border [&_:is(td,th)]:border-line-strong [&_:is(td,th)]:px-2 [&_:is(td,th)]:py-1 [&_:is(td,th)]:text-left">
        <thead>
          <tr>
            {head.map((cell, at) => (
              <th key={at} scope="col" className="bg-sunken font-semibold">
                <Parts nodes={cell} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {body.map((row, at) => (
            <tr key={at}>
              {row.map((cell, column) => (
                <td key={column}>
                  <Parts nodes={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function CodeBlock({ text, language }: { readonly text: string; readonly language: string }): ReactNode {
  return (
    <figure className="overflow-hidden rounded-md border border-line bg-sunken">
      {language === '' ? null : (
        <figcaption className="border-b border-line px-3 py-1 font-mono text-xs text-muted">
          <VisibleText text={language} />
        </figcaption>
      )}
      <pre tabIndex={0} aria-label="Code" role="region" className="overflow-x-auto px-3 py-2 font-mono text-xs">
        <VisibleText text={text} />
      </pre>
    </figure>
  );
}

/** Link to elsewhere with its host beside it, since its words may say another one. */
function Elsewhere({ link: { href, host, isImage, children } }: { readonly link: MarkdownLink }): ReactNode {
  const words = (
    <>
      {isImage ? 'Image: ' : null}
      <Parts nodes={children} />
    </>
  );
  const place = (
    <span className="text-xs text-muted">
      {' '}
      (<VisibleText text={host} />)
    </span>
  );
  if (href === undefined) {
    return (
      <>
        {words}
        {place}
      </>
    );
  }
  return (
    <>
      <a
        href={href}
        target="_blank"
        rel="noopener noreferrer nofollow"
        title={visibleText(href)}
        className="text-accent underline"
      >
        {words}
      </a>
      {place}
    </>
  );
}
