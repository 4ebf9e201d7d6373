// What is wider than the page scrolls by itself: by keyboard too, since it can have the focus then.

const watched = new ResizeObserver((all) => {
  for (const { target } of all) {
    if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
    else target.removeAttribute("tabindex");
  }
});
for (const one of document.querySelectorAll("pre, .table")) watched.observe(one);
