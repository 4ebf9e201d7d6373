//! The window: what moves, the controls, the scenes there are, the text of the one that plays with what is wrong in it, and how loud it is.

mod browser;
mod controls;
mod meter;
mod motion;
mod writing;

use std::sync::Arc;
use std::sync::atomic::Ordering;

use egui::{CentralPanel, Color32, Panel, ScrollArea, Ui};
use nice_plug::context::gui::GuiContext;
use nice_plug::editor::dpi::LogicalSize;
use nice_plug::editor::{ResizeHint, SizeConstraints};
use nice_plug_egui::{EguiEditor, EguiEditorState, EguiNiceSettings, Frame, NiceEguiApp, RepaintNotifier};

use crate::choice::Choice;
use crate::desk::Desk;
use crate::face::Face;
use crate::knobs::Knobs;
use browser::Browser;
use meter::Meter;
use motion::Motion;
use writing::Writing;

/// Its size at first, and its smallest, in points.
const SIZE: [f32; 2] = [960.0, 640.0];
const SMALLEST: [f32; 2] = [560.0, 400.0];

/// The colour of what is wrong.
const WRONG: Color32 = Color32::from_rgb(240, 130, 110);

/// What makes windows.
pub type Editor = EguiEditor<Window>;

/// What makes the windows of a plugin.
pub fn editor(knobs: Arc<Knobs>) -> Option<Editor> {
    let smallest = Some(LogicalSize::new(SMALLEST[0], SMALLEST[1]));
    let hint = ResizeHint {
        can_resize: true,
        can_resize_horizontally: true,
        can_resize_vertically: true,
        size_constraints: SizeConstraints::Logical { min_size: smallest, max_size: None },
        ..ResizeHint::default()
    };
    let settings = EguiNiceSettings::new().with_tile("ictus").with_resize_hint(hint);
    let state = EguiEditorState::from_size(LogicalSize::new(SIZE[0], SIZE[1]), 1.0);
    nice_plug_egui::create_egui_editor(state, RepaintNotifier::new(), settings, Window::new(knobs))
}

/// What is in the middle.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Middle {
    Motion,
    Text,
}

/// A window and what it remembers.
pub struct Window {
    desk: Arc<Desk>,
    knobs: Arc<Knobs>,
    context: Option<GuiContext>,
    /// The scene that is shown.
    face: Arc<Face>,
    middle: Middle,
    motion: Motion,
    writing: Writing,
    meter: Meter,
    browser: Browser,
}

impl Window {
    fn new(knobs: Arc<Knobs>) -> Self {
        Self {
            desk: knobs.desk.clone(),
            context: None,
            face: Arc::default(),
            middle: Middle::Motion,
            motion: Motion::default(),
            writing: Writing::new(knobs.draft.clone()),
            meter: Meter::default(),
            knobs,
            browser: Browser::default(),
        }
    }

    /// Shows the scene that plays now, if it is another.
    fn look(&mut self) {
        let face = self.desk.face();
        if Arc::ptr_eq(&face, &self.face) {
            return;
        }
        self.motion.begin(&self.desk, &face);
        let choice = self.desk.choice();
        if face.message.is_some() {
            self.middle = Middle::Text;
        }
        if let Some(context) = &self.context {
            controls::go_home(&self.knobs, &context.param_setter(), &face, &choice);
        }
        self.writing.begin(choice);
        self.face = face;
    }

    /// Plays another scene.
    fn play(&self, choice: Choice) {
        self.desk.propose(choice);
    }

    fn top(&mut self, ui: &mut Ui) {
        ui.horizontal(|ui| {
            ui.heading(&self.face.title);
            ui.selectable_value(&mut self.middle, Middle::Motion, "Motion");
            ui.selectable_value(&mut self.middle, Middle::Text, "Text");
            if let Some(context) = &self.context {
                let setter = context.param_setter();
                controls::switch(ui, &setter, &self.knobs.mpe, "MPE");
                controls::switch(ui, &setter, &self.knobs.score, "Score");
            }
            self.meter.show(ui, &self.desk);
        });
        if !self.face.about.is_empty() {
            ui.label(&self.face.about);
        }
    }
}

impl NiceEguiApp for Window {
    fn build(
        &mut self,
        ctx: egui::Context,
        context: GuiContext,
        _: &mut Frame,
    ) -> Result<(), nice_plug_egui::baseview::HandlerError> {
        ctx.set_visuals(egui::Visuals::dark());
        self.context = Some(context);
        self.face = Arc::default();
        self.desk.watched.store(true, Ordering::Relaxed);
        Ok(())
    }

    fn ui(&mut self, ui: &mut Ui, _: &mut Frame) {
        self.look();
        Panel::top("title").show(ui, |ui| self.top(ui));
        let picked =
            Panel::left("scenes").default_size(190.0).show(ui, |ui| self.browser.show(ui, &self.writing.choice));
        if let Some(choice) = picked.inner {
            self.play(choice);
        }
        Panel::bottom("controls").resizable(true).default_size(120.0).show(ui, |ui| {
            if let Some(context) = &self.context {
                ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
                    controls::show(ui, &self.knobs, &context.param_setter(), &self.face);
                });
            }
        });
        let written = CentralPanel::default().show(ui, |ui| match self.middle {
            Middle::Motion => {
                self.motion.show(ui, &self.desk, &self.face);
                None
            }
            Middle::Text => self.writing.show(ui, &self.face),
        });
        if let Some(choice) = written.inner {
            self.play(choice);
        }
        // What moves is drawn again and again.
        ui.ctx().request_repaint_after(std::time::Duration::from_millis(16));
    }

    fn editor_closed(&mut self) {
        self.desk.watched.store(false, Ordering::Relaxed);
        self.context = None;
    }
}
