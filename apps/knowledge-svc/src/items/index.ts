export { itemEvents } from './item-events.ts';
export { countChange, isReviewed, type Author, type StoredItem } from './item.ts';
export {
  itemCollection,
  itemFields,
  itemModel,
  itemOf,
  itemRevisionCollection,
  itemRevisionModel,
  type ItemDocument,
  type Likeness,
} from './item.model.ts';
export { itemRoutes } from './items.routes.ts';
export { createItemsService } from './items.service.ts';
export { createItemStore } from './items.store.ts';
export { searchTermsOf } from './search-terms.ts';
