export interface Query {
  readonly expr: string;
  /** Legend of each series: `{{part}}`. */
  readonly legend: string;
}

export interface Panel {
  readonly title: string;
  /** Explanation for somebody who sees the panel for the first time. */
  readonly description?: string;
  readonly kind?: 'timeseries' | 'stat';
  readonly unit: 's' | 'bytes' | 'percentunit' | 'reqps' | 'ops' | 'short';
  readonly queries: readonly Query[];
}

export interface Dashboard {
  /** Name of its file, and end of its uid. */
  readonly name: string;
  readonly title: string;
  /** Adds a selector for the service, which is `$service` in queries. */
  readonly choosesService?: true;
  readonly rows: readonly { readonly title: string; readonly panels: readonly Panel[] }[];
}

const COLUMNS = 24;
const PANEL_HEIGHT = 8;
/** Dashboard schema of Grafana 9; later versions migrate it automatically. */
const SCHEMA_VERSION = 36;
const DATASOURCE = { type: 'prometheus', uid: '${datasource}' };

/** Dashboard as Grafana reads it. Three panels share a line. */
export function grafanaJson({ name, title, choosesService, rows }: Dashboard): object {
  const panels: object[] = [];
  let y = 0;
  for (const row of rows) {
    panels.push({
      id: panels.length + 1,
      type: 'row',
      title: row.title,
      collapsed: false,
      ...placed(0, y, COLUMNS, 1),
    });
    y += 1;
    const inLine = Math.min(3, row.panels.length);
    row.panels.forEach((panel, index) => {
      const width = COLUMNS / inLine;
      const line = Math.floor(index / inLine);
      const place = placed((index % inLine) * width, y + line * PANEL_HEIGHT, width, PANEL_HEIGHT);
      panels.push({ id: panels.length + 1, ...panelJson(panel), ...place });
    });
    y += Math.ceil(row.panels.length / inLine) * PANEL_HEIGHT;
  }
  return {
    ...{ uid: `clew-${name}`, title, tags: ['clew'], schemaVersion: SCHEMA_VERSION, version: 1, editable: false },
    ...{ time: { from: 'now-3h', to: 'now' }, refresh: '30s', timezone: 'browser' },
    templating: { list: [datasourceVariable(), ...(choosesService === true ? [serviceVariable()] : [])] },
    links: [{ type: 'dashboards', title: 'Clew', tags: ['clew'], asDropdown: true, includeVars: true, keepTime: true }],
    panels,
  };
}

const placed = (x: number, y: number, w: number, h: number) => ({ gridPos: { x, y, w, h } });

function panelJson({ title, description, kind = 'timeseries', unit, queries }: Panel): object {
  return {
    ...{ type: kind, title, ...(description === undefined ? {} : { description }), datasource: DATASOURCE },
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    options: kind === 'stat' ? { reduceOptions: { calcs: ['lastNotNull'] } } : { legend: { displayMode: 'list' } },
    targets: queries.map(({ expr, legend }, index) => ({
      ...{ refId: String.fromCharCode('A'.charCodeAt(0) + index), datasource: DATASOURCE },
      ...{ expr, legendFormat: legend },
    })),
  };
}

function datasourceVariable(): object {
  return { name: 'datasource', label: 'Prometheus', type: 'datasource', query: 'prometheus', hide: 0 };
}

/** Metric that every process reports. */
export const SERVICES_QUERY = 'process_start_time_seconds';

function serviceVariable(): object {
  const query = `label_values(${SERVICES_QUERY}, service)`;
  return {
    ...{ name: 'service', label: 'Service', type: 'query', datasource: DATASOURCE, refresh: 2, sort: 1 },
    ...{ query: { query, refId: 'services' }, definition: query },
  };
}
