import { parser } from '@prometheus-io/lezer-promql';

/** Metrics and labels that an expression uses. */
export interface PromqlUse {
  /** Metrics, each with the labels in its selector. */
  readonly selected: readonly { readonly metric: string; readonly labels: readonly string[] }[];
  /** Labels by which results are grouped or joined. */
  readonly grouping: readonly string[];
}

type SyntaxNode = ReturnType<typeof parser.parse>['topNode'];

const GROUPING = new Set(['GroupingLabels']);
const SELECTOR = new Set(['VectorSelector']);
const LABEL_NAME = new Set(['LabelName', 'QuotedLabelName']);

/** Parses an expression with Prometheus's own grammar; throws if it is invalid. */
export function readPromql(expr: string): PromqlUse {
  const top = parser.parse(expr).topNode;
  const nodes = [...within(top)];
  const broken = nodes.find(({ type }) => type.isError);
  if (broken !== undefined) throw new Error(`Not PromQL at ${broken.from}: ${expr}`);
  if (nodes.some(isMisplacedOffset)) throw new Error(`An offset belongs behind a selector: ${expr}`);
  const textOf = ({ from, to }: SyntaxNode) => expr.slice(from, to);
  const labelsIn = (node: SyntaxNode) => [...within(node)].filter(({ name }) => LABEL_NAME.has(name)).map(textOf);
  return {
    selected: nodes
      .filter(({ name }) => SELECTOR.has(name))
      .flatMap((node) =>
        node.getChildren('Identifier').map((metric) => ({ metric: textOf(metric), labels: labelsIn(node) })),
      ),
    grouping: nodes.filter(({ name }) => GROUPING.has(name)).flatMap(labelsIn),
  };
}

/** Whether an offset follows something other than a selector: the grammar accepts that, but Prometheus does not. */
function isMisplacedOffset(node: SyntaxNode): boolean {
  return node.name === 'OffsetExpr' && !SHIFTED.has(node.firstChild?.name ?? '');
}

const SHIFTED = new Set(['VectorSelector', 'MatrixSelector', 'SubqueryExpr']);

function* within(node: SyntaxNode): Generator<SyntaxNode> {
  yield node;
  for (let child = node.firstChild; child !== null; child = child.nextSibling) yield* within(child);
}
